import JSON
import JSONRPC
import VaultExchange
import VaultModel
import VaultProtocol

/// Why an import was refused although the file was read.
enum ImportRefusal: Error {
  /// Some of its entries cannot be stored; nothing was.
  case invalid(ImportReport)
}

extension ImportRefusal: Refusal {
  var code: Int { 1603 }
  var kind: String { "import.invalid" }

  var words: Localized {
    guard case .invalid(let report) = self else { return ProtocolError.internalError.words }
    let count = report.file.entries.count { !$0.issues.isEmpty }
    return Localized(
      "Nothing was imported: \(count) of \(report.outcomes.count) entries cannot be stored.",
      "未导入任何内容：\(report.outcomes.count) 个条目中有 \(count) 个无法保存。")
  }

  func details(in language: Language) -> [JSON.Member] {
    guard case .invalid(let report) = self else { return [] }
    return [.init("report", report.json(in: language))]
  }
}

extension ImportError: Refusal {
  var code: Int {
    switch self {
    case .unknownFormat: 1601
    case .unreadable: 1602
    case .tooManyEntries: 1604
    case .unknownColumn, .unknownTarget, .repeatedTarget: 1605
    }
  }

  var kind: String {
    switch self {
    case .unknownFormat: "import.unknownFormat"
    case .unreadable: "import.unreadable"
    case .tooManyEntries: "import.tooMany"
    case .unknownColumn, .unknownTarget, .repeatedTarget: "import.mappingInvalid"
    }
  }

  func details(in language: Language) -> [JSON.Member] {
    switch self {
    case .unknownFormat: []
    case .unreadable(let fault, let line):
      [.init("reason", .string(fault.rawValue))] + (line.map { [.init("line", .integer($0))] } ?? [])
    case .tooManyEntries(let limit): [.init("limit", .integer(limit))]
    case .unknownColumn(let column), .unknownTarget(let column), .repeatedTarget(let column):
      [.init("column", .string(column))]
    }
  }

  var words: Localized {
    switch self {
    case .unknownFormat:
      Localized("The file is of no format that can be imported.", "该文件不是可导入的格式。")
    case .unreadable(let fault, let line):
      Localized(
        (line.map { "Line \($0): " } ?? "") + fault.words.english,
        (line.map { "第 \($0) 行：" } ?? "") + fault.words.simplifiedChinese)
    case .tooManyEntries(let limit):
      Localized("The file has more than \(limit) entries.", "该文件的条目超过 \(limit) 个。")
    case .unknownColumn(let column):
      Localized("The file has no column \(column.quoted).", "该文件没有列 \(column.quoted)。")
    case .unknownTarget(let column):
      Localized("What column \(column.quoted) is to become is not known.", "列 \(column.quoted) 的目标未知。")
    case .repeatedTarget(let column):
      Localized(
        "Another column is to become the same as \(column.quoted).", "另一列与列 \(column.quoted) 的目标相同。")
    }
  }
}

extension ImportError.Fault {
  fileprivate var words: Localized {
    switch self {
    case .empty: Localized("There is nothing in the file.", "该文件为空。")
    case .encoding:
      Localized("The text is neither UTF-8 nor UTF-16 nor GB 18030.", "文本不是 UTF-8、UTF-16 或 GB 18030 编码。")
    case .malformed: Localized("The file is damaged or cut off here.", "该文件在此处已损坏或不完整。")
    case .documentType:
      Localized("The file declares a document type, which is not allowed.", "该文件含有文档类型声明，不被允许。")
    case .nestingTooDeep: Localized("Its parts lie too deep in one another.", "其内容嵌套过深。")
    case .tooManyColumns: Localized("The row has more than 1,000 cells.", "该行的单元格超过 1,000 个。")
    case .encrypted:
      Localized("The export is encrypted: export it without a password.", "该导出文件已加密：请导出未加密的文件。")
    case .newerVersion:
      Localized("A newer version of QuickVault wrote the file.", "该文件由更新版本的随取写入。")
    }
  }
}
