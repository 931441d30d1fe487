package import Wire

/// `workspace/applyEdit` (LSP 3.17), from the server: replaces a part of a document.
///
/// It has no `label`: editors keep that in messages and histories after a lock, and Neovim, which prints it after a question, may
/// then wait for Enter before it makes the edit.
package struct ApplyEdit: OutgoingRequest {
  package static let method = "workspace/applyEdit"

  private let uri: String
  /// The version that the edit is for; nil for a client that takes none.
  private let version: Int?
  private let range: DocumentRange
  private let text: String

  package init(at place: EditTarget, version: Int?, replacingBy text: String) {
    (self.uri, self.version, self.range, self.text) = (place.uri, version, place.range, text)
  }

  package struct Response: ResultObject {
    package var applied: Bool

    package static let coder = ObjectCoder(Self.init, .required("applied", \.applied))
  }

  package var parameters: JSON? {
    let edit: JSON = ["range": range.json, "newText": .string(text)]
    guard let version else {
      return ["edit": ["changes": .object([.init(uri, [edit])])]]
    }
    let document: JSON = ["uri": .string(uri), "version": .integer(version)]
    return ["edit": ["documentChanges": [["textDocument": document, "edits": [edit]]]]]
  }
}
