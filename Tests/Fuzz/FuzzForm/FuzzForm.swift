import VaultInterface

/// Any text is read as a form, and what it says is written so that it reads the same, with masks and without.
#if FUZZING
  @_cdecl("LLVMFuzzerTestOneInput")
#endif
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  for type in CardType.allCases {
    for language in Language.allCases {
      let format = FormText(type, in: language)
      let contents = format.read(text)
      let draft = contents.draft
      // No more is read than a card can have.
      for revealed in [RevealedFields.none, .all] where draft.extraFields.count <= Limits.extraFields {
        guard format.read(format.write(draft, revealing: revealed), over: draft).says(draft) else {
          fatalError("another card")
        }
      }
      do {
        _ = try contents.checked()
      } catch {
        let lines = text.utf8.count { $0 == 0x0A } + 1
        guard error.report.errors.allSatisfy({ (1...lines).contains($0.line ?? 1) }) else {
          fatalError("outside of the text")
        }
      }
    }
  }
  return 0
}
