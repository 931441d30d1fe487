import FuzzEntries
import VaultExchange
import VaultInterface
import Wire

/// Any bytes are cards or items in JSON, or are refused; a text that is JSON is found to have the same parts.
#if FUZZING
  @_cdecl("LLVMFuzzerTestOneInput")
#endif
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  for format in [nil, ImportFormat.json, .bitwardenJSON, .enpassJSON] {
    Entries.check(bytes, ImportOptions(format: format))
  }
  if case .object(let members)? = try? JSONReader.read(bytes) {
    let parts = try? JSONElements.members(of: bytes)
    guard parts?.map(\.name) == members.map(\.name),
      parts?.map({ JSONElements.read($0.part, of: bytes) }) == members.map({ .some($0.value) })
    else { fatalError("other parts") }
  }
  return 0
}
