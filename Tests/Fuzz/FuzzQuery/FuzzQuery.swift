import VaultInterface
import Wire

/// A query finds and highlights in a record what it does in the card, and what it highlights lies within the snippet.
///
/// The input is a query and, after a line break, the text of a card.
#if FUZZING
  @_cdecl("LLVMFuzzerTestOneInput")
#endif
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  let parts = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
  guard let source = parts.first, let query = try? SearchQuery(parsing: source) else { return 0 }
  let content = parts.count > 1 ? parts[1] : source
  let draft = CardDraft(
    title: String(content.prefix(20)), group: .personal, type: .text, fields: ["text": content],
    extraFields: [ExtraField(label: "PIN", value: content, concealed: true)],
    tags: [String(content.suffix(5))])
  guard let id = Identifier(bytes: [UInt8](repeating: 7, count: 16)) else { return 0 }
  let card = Card(draft, id: id, at: Timestamp(milliseconds: 0))
  guard let record = try? CardRecord.encode(card) else { return 0 }
  var buffer = SearchBuffer()
  let inPlace = record.withUnsafeBytes { bytes in
    try? query.rank(record: RawSpan(_unsafeBytes: bytes), hasAttachment: false, using: &buffer)
  }
  guard inPlace == query.rank(card, hasAttachment: false) else { fatalError("record and card differ") }
  let matches = query.highlights(in: card)
  let matchesInPlace = record.withUnsafeBytes { bytes in
    try? query.highlights(in: RawSpan(_unsafeBytes: bytes), using: &buffer)
  }
  guard matchesInPlace == matches else { fatalError("record and card are highlighted differently") }
  for match in matches {
    for range in match.ranges
    where range.start < 0 || range.start + range.length > match.snippet.unicodeScalars.count {
      fatalError("a range lies outside of its snippet")
    }
  }
  return 0
}
