import FuzzEntries
import VaultExchange

/// Any bytes are vCards or are refused, and the cards of them are valid.
#if FUZZING
  @_cdecl("LLVMFuzzerTestOneInput")
#endif
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  Entries.check(Array(UnsafeBufferPointer(start: start, count: count)), ImportOptions(format: .vcard))
  return 0
}
