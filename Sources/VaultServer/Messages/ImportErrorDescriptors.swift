import JSON
import VaultExchange
import VaultModel
import VaultProtocol

/// An import that was refused although the file was read: some of its entries cannot be stored, and nothing was.
struct InvalidImport: ApplicationError {
  let report: ImportReport

  var descriptor: ErrorDescriptor {
    let (count, total) = (report.file.entries.count { !$0.issues.isEmpty }, report.outcomes.count)
    return ErrorDescriptor(
      1603, "import.invalid",
      Localized(
        "Nothing was imported: \(count) of \(total) entries cannot be stored.",
        "未导入任何内容：\(total) 个条目中有 \(count) 个无法保存。"),
      localizedData: { [report] in ["report": report.json(in: $0)] })
  }
}

extension ImportError: ApplicationError {
  var descriptor: ErrorDescriptor {
    switch self {
    case .unknownFormat:
      .init(1601, "import.unknownFormat", "The file is of no format that can be imported.", "该文件不是可导入的格式。")
    case .unreadable(let reason, let line):
      .init(
        1602, "import.unreadable",
        (line.map { "Line \($0): " } ?? "") + reason.message.english,
        (line.map { "第 \($0) 行：" } ?? "") + reason.message.simplifiedChinese,
        line.map { ["reason": .string(reason.rawValue), "line": .integer($0)] } ?? [
          "reason": .string(reason.rawValue)
        ])
    case .tooManyEntries(let limit):
      .init(
        1604, "import.tooMany", "The file has more than \(limit) entries.", "该文件的条目超过 \(limit) 个。",
        ["limit": .integer(limit)])
    case .unknownColumn(let column):
      .init(
        1605, "import.mappingInvalid", "The file has no column \(column.quoted).", "该文件没有列 \(column.quoted)。",
        ["column": .string(column)])
    case .unknownTarget(let column):
      .init(
        1605, "import.mappingInvalid", "What column \(column.quoted) is to become is not known.",
        "列 \(column.quoted) 的目标未知。", ["column": .string(column)])
    case .repeatedTarget(let column):
      .init(
        1605, "import.mappingInvalid",
        "Another column is to become the same as \(column.quoted).", "另一列与列 \(column.quoted) 的目标相同。",
        ["column": .string(column)])
    }
  }
}

extension ImportError.Reason {
  fileprivate var message: Localized {
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
