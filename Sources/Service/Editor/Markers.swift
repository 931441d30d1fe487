import VaultInterface

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
