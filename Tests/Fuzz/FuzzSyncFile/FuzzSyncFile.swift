import VaultSync

/// Any bytes are a key file or an opened segment of a synchronised folder, or are refused; what is read is written as the same
/// bytes, except for the padding of a segment.
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
    guard withoutPadding(written) == withoutPadding(bytes) else {
      fatalError("a segment is not written as it was read")
    }
    guard let again = try? Segment(decoding: written), again.encoded() == written else {
      fatalError("a segment that was written is not read")
    }
  }
  return 0
}

private func withoutPadding(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
  bytes[..<((bytes.lastIndex { $0 != 0 } ?? -1) + 1)]
}
