import VaultModel

/// Why nothing was inserted into a document.
enum EditError: Error, Sendable, Hashable {
  /// Something else stands at the place now.
  case changed
  /// The editor did not make the change.
  case refused
  /// The server does not have the text: the document was closed, is too long, or was not changed since the vault was locked.
  case unknownText
}

extension EditError: ApplicationError {
  var descriptor: ErrorDescriptor {
    switch self {
    case .changed:
      .init(
        1120, "edit.changed", "The text has changed since. Nothing was done: try again.",
        "文本已经改变，未执行任何操作。请重试。")
    case .refused:
      .init(1121, "edit.refused", "The editor did not insert it.", "编辑器未插入内容。")
    case .unknownText:
      .init(
        1124, "edit.unknownText", "The text is not known. Change it, and try again.",
        "随取尚未收到该文档的文本。请先修改文档，再重试。")
    }
  }
}
