/// Why nothing was inserted into a document.
enum EditError: NamedError, Hashable {
  static let area = "edit"

  /// Something else stands at the place now.
  case changed
  /// The editor did not make the change.
  case refused
  /// The server does not have the text: the document was closed, is too long, or was not changed since the vault was locked.
  case unknownText
}
