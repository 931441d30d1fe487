import VaultInterface

/// Any text is an address or stays one street; nothing that the street has was not in the text.
#if FUZZING
  @_cdecl("LLVMFuzzerTestOneInput")
#endif
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  let lines = text.split(separator: "\n", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
  let fields = lines + [String](repeating: "", count: 4 - lines.count)
  for abbreviates in [false, true] {
    let address = RegionalAddress(
      province: fields[0], city: fields[1], district: fields[2], street: fields[3], abbreviates: abbreviates)
    guard Set(address.street.unicodeScalars).isSubset(of: text.unicodeScalars) else { fatalError("made up") }
    _ = RegionalAddress.needsDistrict(province: address.province, city: address.city)
  }
  return 0
}
