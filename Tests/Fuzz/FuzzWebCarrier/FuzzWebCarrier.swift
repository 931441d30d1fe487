import WebCarrier

/// What a hostile server says of its files is read within bounds, and names no file outside of a synchronised folder. An address
/// that is accepted is read again as the same, and leads to no other machine without encryption.
///
/// The first byte chooses between a list of WebDAV and an address.
#if FUZZING
  @_cdecl("LLVMFuzzerTestOneInput")
#endif
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  guard let first = input.first else { return 0 }
  let bytes = Array(input.dropFirst())
  if first % 2 == 0 {
    checkList(bytes)
  } else if let text = String(validating: bytes, as: UTF8.self) {
    checkAddress(text)
  }
  return 0
}

private let collection = ["files", "alice", "vault"]

private func checkList(_ bytes: [UInt8]) {
  guard let list = try? Multistatus(bytes, of: collection) else { return }
  for member in list.members {
    guard member.size ?? 0 >= 0 else { fatalError("a file has a negative length") }
    checkName(member.name)
    for directory in ["next", "keys"] { checkName("\(vault)/\(epoch)/\(directory)/\(member.name)") }
  }
}

private let vault = "89e5f516-f99b-4c1d-b0e9-d5e7a7b6b658"
private let epoch = "daa227b1-976c-45c1-9d5b-4bc5a8a1488f"

private func checkName(_ name: String) {
  guard let file = MirroredFile(name) else { return }
  let parts = file.path.split(separator: "/", omittingEmptySubsequences: false)
  guard file.path == name, MirroredFile(file.path) == file, file.path.utf8.count < 200,
    !parts.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }),
    file.path.utf8.allSatisfy({ (0x2D...0x7A).contains($0) })
  else { fatalError("a file outside of the folder") }
}

private func checkAddress(_ text: String) {
  if let parts = WebAddress.components(of: text), text.hasPrefix("/") {
    guard encoded(parts).flatMap({ WebAddress.components(of: $0) }) == parts else {
      fatalError("a path is not read as it was written")
    }
  }
  guard let address = WebAddress(text) else { return }
  let url = address.url("a")
  guard let again = WebAddress(url), again.url("") == address.url("a/"), address.isSameOrigin(url),
    address.isEncrypted
      || ["http://localhost:", "http://127.0.0.1:", "http://[::1]:"].contains(where: url.hasPrefix)
  else { fatalError("an address that is not read as it was written") }
}

/// Returns the path with every byte percent-encoded; nil without components.
private func encoded(_ parts: [String]) -> String? {
  guard !parts.isEmpty else { return "/" }
  return parts.map { part in
    "/" + part.utf8.map { ($0 < 16 ? "%0" : "%") + String($0, radix: 16) }.joined()
  }.joined()
}
