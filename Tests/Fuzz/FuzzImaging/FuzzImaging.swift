import ImagingFormats

/// Fuzzes the parsers of ImagingFormats: a job's line, an Exif block, and the containers of JPEG, PNG, HEIC and PDF. Any
/// input is parsed or rejected, and rewritten files can be parsed again.
///
/// An input that begins with a brace is a job, one that begins with `II` or `MM` an Exif block, any other a file. The
/// libraries' decoders are tested with hostile files in Tests/ImagingTests/test_hostile.py.
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
  guard (1...8).contains(container.orientation) else { fatalError("invalid orientation") }
  if case .pdf = container { return 0 }
  guard let stripped = try? container.replacingMetadata(by: ExifBlock(orientation: container.orientation))
  else {
    return 0
  }
  guard let again = try? Container(stripped, type) else { fatalError("the result cannot be parsed") }
  guard again.orientation == container.orientation else { fatalError("the orientation changed") }
  return 0
}

private func check(_ block: ExifBlock) {
  guard let again = ExifBlock(block.encoded), again.orientation == block.orientation else {
    fatalError("a block does not round-trip")
  }
}
