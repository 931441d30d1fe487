import VaultModel

extension Attachment.NameError {
  /// One sentence for the user.
  var message: Localized {
    switch self {
    case .empty: Localized("The attachment needs a name.", "附件名称不能为空。")
    case .tooLong:
      Localized(
        "The name is longer than \(Limits.attachmentName) characters.", "附件名称超过 \(Limits.attachmentName) 个字符。"
      )
    case .invalidCharacter:
      Localized("The name contains a character that is not allowed in file names.", "附件名称含有文件名不允许使用的字符。")
    }
  }
}

extension Watermark.ValidationError {
  /// One sentence for the user.
  var message: Localized {
    switch self {
    case .empty: Localized("The watermark needs text.", "水印文字不能为空。")
    case .tooLong:
      Localized(
        "The watermark has more than \(Limits.watermark) characters or \(Limits.watermarkLines) lines.",
        "水印文字超过 \(Limits.watermark) 个字符或 \(Limits.watermarkLines) 行。")
    case .invalidCharacter: Localized("The watermark contains control characters.", "水印文字含有控制字符。")
    case .outOfRange: Localized("A setting of the watermark is out of range.", "水印的参数超出范围。")
    }
  }
}
