import VaultModel

@testable import VaultExchange

/// Any bytes are a KeePass file or are refused, and the cards of it are valid.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let file = try? ImportReader.read(bytes, ImportOptions(format: .keepassXML)) else { return 0 }
  for entry in file.entries {
    guard (1...bytes.count + 1).contains(entry.line) else { fatalError("outside of the file") }
    guard entry.draft != nil || entry.isLeftOut || !entry.issues.isEmpty else { fatalError("no reason") }
    if let draft = entry.draft, (try? draft.checked().draft) != draft { fatalError("not valid") }
  }
  return 0
}
