import Wire

/// Any bytes are read or refused; what is read is written as a text that is read as the same value.
#if FUZZING
  @_cdecl("LLVMFuzzerTestOneInput")
#endif
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let value = try? JSONReader.read(bytes) else { return 0 }
  let written = value.utf8
  guard let again = try? JSONReader.read(written), again == value, !written.contains(0x0A) else {
    fatalError("what was written is not what was read")
  }
  _ = try? Message(value)
  _ = try? Parameters(value)
  return 0
}
