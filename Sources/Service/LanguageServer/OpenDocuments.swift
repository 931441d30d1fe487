import VaultInterface
package import Wire

/// The documents that a client has open. Only ``DocumentRemains`` are kept over a lock; the next change brings the whole text again.
package struct OpenDocuments: Sendable {
  /// The longest document that is served, in bytes of UTF-8.
  package static let maximumDocumentSize = 1 << 20
  /// The most documents whose text is kept; the one that was changed longest ago goes first.
  package static let limit = 16

  /// The notifications about documents.
  package static let notifications: Set = [
    "textDocument/didOpen", "textDocument/didChange", "textDocument/didClose",
  ]

  private var documents: [(uri: String, document: OpenDocument)] = []
  /// The documents into which a value was inserted that may look like what is kept over a lock.
  private var withInsertions: Set<String> = []

  package init() {}

  /// Reads ``remains(_:)``; anything else gives no documents.
  package init(_ remains: JSON?) {
    guard let remains, let all = try? [DocumentRemains].read(remains, at: "documents") else { return }
    documents = all.map { ($0.uri, OpenDocument($0)) }
  }

  /// What is kept over a lock.
  package func remains(_ client: LanguageClient) -> JSON {
    let kept = documents.filter { !withInsertions.contains($0.uri) }
      .map { DocumentRemains(of: $0.document, $0.uri, client) }
    return kept.filter { !$0.lines.isEmpty }.json
  }

  /// Notes a text that was inserted into a document. If there is a trigger in it, nothing of the document is kept over a lock.
  package mutating func didInsert(_ text: String, into uri: String, _ triggers: [String]) {
    guard (triggers + [Placeholder.opening]).contains(where: { text[...].range(ofFirst: $0) != nil }) else {
      return
    }
    withInsertions.insert(uri)
  }

  package subscript(uri: String) -> OpenDocument? {
    documents.last { $0.uri == uri }?.document
  }

  /// Takes what a notification says of a document.
  ///
  /// - Parameter size: the bytes of all texts that are kept; those that were changed longest ago go first.
  /// - Returns: the document's URI if its text is new; nil for any other notification, and one that is not understood.
  package mutating func take(
    _ method: String, _ parameters: JSON?, keeping size: Int = limit * maximumDocumentSize
  ) -> String? {
    guard let identifier = parameters?["textDocument"], let uri = identifier["uri"]?.string else {
      return nil
    }
    switch method {
    case "textDocument/didOpen":
      return put(uri, identifier["version"]?.integer, identifier["text"]?.string, keeping: size)
    case "textDocument/didChange":
      return put(
        uri, identifier["version"]?.integer, Self.text(parameters?["contentChanges"]), keeping: size)
    case "textDocument/didClose":
      documents.removeAll { $0.uri == uri }
      withInsertions.remove(uri)
      return nil
    default: return nil
    }
  }

  /// The whole text after the changes; nil if one replaces a part, which the server did not ask for.
  private static func text(_ changes: JSON?) -> String? {
    guard case .array(let changes) = changes, changes.allSatisfy({ $0["range"]?.unlessNull == nil }) else {
      return nil
    }
    return changes.last?["text"]?.string
  }

  private mutating func put(
    _ uri: String, _ version: Int?, _ text: String?, keeping size: Int
  ) -> String? {
    documents.removeAll { $0.uri == uri }
    guard let text, text.utf8.count <= Self.maximumDocumentSize else { return nil }
    documents.append((uri, OpenDocument(version: version ?? 0, text: text)))
    if documents.count > Self.limit { documents.removeFirst() }
    while documents.count > 1, documents.reduce(0, { $0 + $1.document.size }) > size {
      documents.removeFirst()
    }
    return uri
  }
}
