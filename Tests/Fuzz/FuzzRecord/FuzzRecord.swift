import VaultInterface
import Wire

/// Any bytes are a card or are refused; a card is written as so many bytes as it was read from, which are the same card. They are the same
/// bytes where its entries were in a writer's order.
#if FUZZING
  @_cdecl("LLVMFuzzerTestOneInput")
#endif
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard let id = Identifier(bytes: [UInt8](repeating: 7, count: 16)) else { return 0 }
  let bytes = UnsafeRawBufferPointer(start: start, count: count)
  let record = RawSpan(_unsafeBytes: bytes)
  _ = try? CardRecord.summary(record, id: id, revision: 1)
  let card = try? CardRecord.decode(record, id: id, revision: 1)
  guard (card != nil) == ((try? CardRecord.check(record)) != nil) else {
    fatalError("a card is checked in another way than it is read")
  }
  guard let card else { return 0 }
  guard let written = try? CardRecord.encode(card), written.count == count,
    let again = try? CardRecord.decode(written.span.bytes, id: id, revision: 1), again == card,
    (try? CardRecord.encode(again)) == written
  else { fatalError("a card is not written as it was read") }
  return 0
}
