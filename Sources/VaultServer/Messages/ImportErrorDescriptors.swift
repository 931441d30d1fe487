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
      .init(1601, "import.unknownFormat", "Files of this format cannot be imported.", "不支持导入该格式的文件。")
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
        1605, "import.mappingInvalid", "The file has no column \(column.quoted).",
        "该文件中没有列\(column.quotedInChinese)。",
        ["column": .string(column)])
    case .unknownTarget(let column):
      .init(
        1605, "import.mappingInvalid", "The target of column \(column.quoted) is unknown.",
        "无法识别列\(column.quotedInChinese)的目标。", ["column": .string(column)])
    case .repeatedTarget(let column):
      .init(
        1605, "import.mappingInvalid",
        "Another column has the same target as \(column.quoted).", "另一列与列\(column.quotedInChinese)的目标相同。",
        ["column": .string(column)])
    }
  }
}

extension ImportError.Reason {
  fileprivate var message: Localized {
    switch self {
    case .empty: Localized("The file is empty.", "该文件为空。")
    case .encoding:
      Localized("The text is neither UTF-8 nor UTF-16 nor GB 18030.", "文本不是 UTF-8、UTF-16 或 GB 18030 编码。")
    case .malformed: Localized("The file is damaged or incomplete at this point.", "该文件在此处已损坏或不完整。")
    case .documentType:
      Localized("The file declares a document type, which is not allowed.", "该文件含有不允许使用的文档类型声明。")
    case .nestingTooDeep: Localized("The content is nested too deeply.", "其内容嵌套过深。")
    case .tooManyColumns: Localized("The row has more than 1,000 cells.", "该行的单元格超过 1,000 个。")
    case .encrypted:
      Localized("The export is encrypted: export it without a password.", "该导出文件已加密，请重新导出为未加密的文件。")
    case .newerVersion:
      Localized("A newer version of QuickVault wrote the file.", "该文件由较新版本的随取写入。")
    }
  }
}
