import VaultModel

extension Attachment.NameError {
  /// One sentence for the user.
  var message: Localized {
    switch self {
    case .empty: Localized("The attachment needs a name.", "附件需要名称。")
    case .tooLong:
      Localized(
        "The name is longer than \(Limits.attachmentName) characters.", "名称超过 \(Limits.attachmentName) 个字符。")
    case .invalidCharacter:
      Localized("The name has a character that file names cannot have.", "名称含有文件名不允许的字符。")
    }
  }
}

extension Watermark.ValidationError {
  /// One sentence for the user.
  var message: Localized {
    switch self {
    case .empty: Localized("The watermark needs a text.", "水印需要文字。")
    case .tooLong:
      Localized(
        "The watermark has more than \(Limits.watermark) characters or \(Limits.watermarkLines) lines.",
        "水印超过 \(Limits.watermark) 个字符或 \(Limits.watermarkLines) 行。")
    case .invalidCharacter: Localized("The watermark has control characters.", "水印含有控制字符。")
    case .outOfRange: Localized("A measure of the watermark is out of its range.", "水印的参数超出范围。")
    }
  }
}
