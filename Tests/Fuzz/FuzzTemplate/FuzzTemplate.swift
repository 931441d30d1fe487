import VaultInterface

/// Any text is a copy template or is refused at a place within it.
#if FUZZING
  @_cdecl("LLVMFuzzerTestOneInput")
#endif
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let source = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  do {
    let template = try CopyTemplate(parsing: source)
    for type in CardType.allCases { try template.check(for: type) }
  } catch {
    guard error.position >= 0, error.position <= source.unicodeScalars.count else {
      fatalError("outside of the text")
    }
  }
  return 0
}
