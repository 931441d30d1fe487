import FuzzEntries
import VaultExchange
import VaultInterface

/// Any bytes are vCards or are refused, and the cards of them are valid.
#if FUZZING
  @_cdecl("LLVMFuzzerTestOneInput")
#endif
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  for encoding in [nil, TextEncoding.shiftJIS] {
    Entries.check(bytes, ImportOptions(format: .vcard, encoding: encoding))
  }
  return 0
}
