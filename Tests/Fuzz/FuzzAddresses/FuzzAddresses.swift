import VaultInterface

/// Any text is an address or stays one street; nothing that the street has was not in the text. As a pasted text it becomes a
/// card, which has its digits.
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
  let kept = CardDraft(pasted: text).fields.values.joined()
  let digits = { (text: String) in text.unicodeScalars.count { ("2"..."9").contains($0) } }
  // A list's numbers in front of labels are separators.
  guard digits(kept) + 2 * text.lines.count >= digits(text) else { fatalError("lost") }
  return 0
}
