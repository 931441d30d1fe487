import VaultInterface
import Wire

/// An editor that speaks the Language Server Protocol: what it has said, and what its documents have.
struct Editor: Sendable {
  let client: LanguageClient
  var documents = OpenDocuments()
  var markers = Markers()

  init(_ client: LanguageClient, documents: OpenDocuments = OpenDocuments()) {
    (self.client, self.documents) = (client, documents)
  }

  /// What was typed behind a trigger before a position, and its place.
  func word(in uri: String, at position: Position) -> (word: TypedWord, place: EditTarget)? {
    find(in: uri, position.line) { line in
      TypedWord(in: line, at: position.character, client.triggers, client.encoding)
    }
  }

  /// What was typed behind a trigger around a position, and its place.
  func word(in uri: String, around position: Position) -> (word: TypedWord, place: EditTarget)? {
    find(in: uri, position.line) { line in
      TypedWord(around: position.character, in: line, client.triggers, client.encoding)
    }
  }

  private func find(
    in uri: String, _ number: Int, _ word: (Substring) -> TypedWord?
  ) -> (word: TypedWord, place: EditTarget)? {
    guard let document = documents[uri], let line = document.line(number), let word = word(line) else {
      return nil
    }
    return (word, document.place(of: word.range, in: line, number, of: uri, client.encoding))
  }

  /// Returns what can be saved of a document; nil if its text is not known, or is white space.
  func selection(_ range: DocumentRange, of uri: String) -> VaultCommand.Selection? {
    guard let document = documents[uri], document.isComplete,
      document.text(in: range, client.encoding).contains(where: { !$0.isWhitespace })
    else { return nil }
    return VaultCommand.Selection(uri: uri, version: document.version, range: range)
  }

  /// Returns the text of a selection.
  ///
  /// - Throws: ``EditError/changed`` if the document is another version now; ``EditError/unknownText``.
  func text(of selection: VaultCommand.Selection) throws(EditError) -> Substring {
    guard let document = documents[selection.uri], document.isComplete else { throw .unknownText }
    guard document.version == selection.version else { throw .changed }
    return document.text(in: selection.range, client.encoding)
  }

  /// The version of the document for an edit at a place.
  ///
  /// - Throws: ``EditError/changed`` if something else stands there now; ``EditError/unknownText``.
  func version(for place: EditTarget) throws(EditError) -> Int? {
    guard let document = documents[place.uri] else { throw .unknownText }
    guard document.text(in: place.range, client.encoding) == place.text else { throw .changed }
    return client.takesVersions ? document.version : nil
  }
}

/// The notifications that a client of the Language Server Protocol knows.
enum LanguageServerNotification {
  /// `window/showMessage` with the members of LSP 3.17 alone.
  private struct Message: OutgoingNotification {
    static let method = ShowMessage.method

    let severity: Int
    let text: String

    var json: JSON { ["type": .integer(severity), "message": .string(text)] }
  }

  /// Returns what is sent in place of a notification; nil for nothing, because the client would report it as unknown.
  static func translate(_ notification: any OutgoingNotification) -> (any OutgoingNotification)? {
    switch notification {
    case let message as ShowMessage:
      Message(severity: message.severity.rawValue, text: message.message.text)
    case let scan as BiometricDidChangeState where scan.state != .succeeded:
      Message(severity: ShowMessage.Severity.information.rawValue, text: scan.message.text)
    case is BiometricDidChangeState: nil
    default: notification is any VaultNotification ? nil : notification
    }
  }
}

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

/// The markers that completion items wrote into documents, for clients that run no command.
struct Markers: Sendable {
  struct Marker: Sendable {
    /// What the document has: the typed text and the marker.
    let text: String
    /// What was typed before it was accepted.
    let typed: String
    let suggestion: Suggestion
  }

  /// The most that are remembered: two pages of items.
  private static let limit = 100

  private var markers: [Marker] = []
  private var lastNumber = 0

  /// Returns a marker for a suggestion, such as `公司发票⟨7⟩`.
  mutating func add(_ suggestion: Suggestion, for word: TypedWord) -> String {
    lastNumber += 1
    let marker = "\(suggestion.label)⟨\(lastNumber)⟩"
    if markers.count == Self.limit { markers.removeFirst() }
    markers.append(Marker(text: word.typed + marker, typed: word.typed, suggestion: suggestion))
    return marker
  }

  /// Takes the first marker that a document has, with its place; it is not found again.
  mutating func take(
    from document: OpenDocument, _ uri: String, _ encoding: PositionEncoding
  ) -> (marker: Marker, place: EditTarget)? {
    guard !markers.isEmpty else { return nil }
    for (number, line) in document.lines(with: ["⟩"]) {
      for (index, marker) in markers.enumerated().reversed() {
        guard let range = line.range(ofFirst: marker.text) else { continue }
        markers.remove(at: index)
        return (marker, document.place(of: range, in: line, number, of: uri, encoding))
      }
    }
    return nil
  }
}
