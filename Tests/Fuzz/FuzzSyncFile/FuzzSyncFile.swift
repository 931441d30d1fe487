import Vault

/// Any bytes are a key file or an opened segment of a synchronised folder, or are refused. A key file is written as the same
/// bytes; a segment is written as one that is read as the same, since the order of its dots has no meaning.
///
/// The first byte chooses between the two.
#if FUZZING
  @_cdecl("LLVMFuzzerTestOneInput")
#endif
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  guard let first = input.first else { return 0 }
  let bytes = Array(input.dropFirst())
  if first % 2 == 0 {
    guard let file = try? KeyFile(decoding: bytes) else { return 0 }
    guard file.encoded == bytes else { fatalError("a key file is not written as it was read") }
  } else {
    guard let segment = try? Segment(decoding: bytes) else { return 0 }
    let written = segment.encoded()
    let (kept, given) = (withoutPadding(written), withoutPadding(bytes))
    // A dot that is there twice is written once.
    guard kept.count != given.count || kept.sorted() == given.sorted() else {
      fatalError("a segment is written with other bytes than it was read with")
    }
    guard let again = try? Segment(decoding: written), again == segment, again.encoded() == written else {
      fatalError("a segment is not read as it was written")
    }
  }
  return 0
}

private func withoutPadding(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
  bytes[..<((bytes.lastIndex { $0 != 0 } ?? -1) + 1)]
}
