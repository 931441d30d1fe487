import CImaging

/// What the imaging worker reads by itself, before a decoder sees anything: the line of a job, and what lies around the pixels of a
/// JPEG, PNG, HEIC or PDF file. Any bytes are read or refused, and what is written of them can be read again.
///
/// An input that begins with a brace is a job; one that begins with `II` or `MM` an Exif block; any other is a file. The
/// decoders themselves run in the whole worker, which Tests/ImagingTests/test_hostile.py gives hostile files.
#if FUZZING
  @_cdecl("LLVMFuzzerTestOneInput")
#endif
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  if bytes.first == UInt8(ascii: "{") { _ = try? Job(line: bytes) }
  if let block = ExifBlock(bytes) { check(block) }
  guard let type = try? ContentType.recognize(bytes[...]), let container = try? Container(bytes, type) else {
    return 0
  }
  guard (1...8).contains(container.orientation) else { fatalError("no orientation") }
  if case .pdf = container { return 0 }
  guard let bare = try? container.replacingMetadata(by: ExifBlock(orientation: container.orientation)) else {
    return 0
  }
  guard let again = try? Container(bare, type) else { fatalError("what was written cannot be read") }
  guard again.orientation == container.orientation else { fatalError("it is turned another way") }
  return 0
}

private func check(_ block: ExifBlock) {
  guard let again = ExifBlock(block.encoded), again.orientation == block.orientation else {
    fatalError("a block is not read as it was written")
  }
}
