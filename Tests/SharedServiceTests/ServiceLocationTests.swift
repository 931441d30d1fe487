import Foundation
import Testing

@testable import Wire

/// Where a service is found, and which directories are refused.
@Suite struct ServiceLocationTests {
  private let places: Places

  init() throws { places = try Places() }

  /// Why the directory of a place is refused.
  private func refusal(_ place: ServiceLocation) -> ServiceDirectory.Refusal? {
    do throws(ServiceDirectory.Refusal) {
      _ = try ServiceDirectory.open(place, creating: true)
      return nil
    } catch { return error }
  }

  @Test("XDG_RUNTIME_DIR comes first, then /run/user, then /tmp")
  func order() throws {
    let temporary = "\(places.root)/tmp/quickvault-\(geteuid())"
    #expect(try places.place().directory == temporary)
    let runtime = try places.make(places.runtime)
    #expect(try places.place().directory == "\(runtime)/quickvault")
    let own = try places.make("own", mode: 0o755)
    #expect(try places.place(own).directory == "\(own)/quickvault")
  }

  @Test(
    "An XDG_RUNTIME_DIR that is relative, missing, a file, writable by others or another user's is passed over"
  )
  func unusable() throws {
    let runtime = try places.make(places.runtime)
    let open = try places.make("open", mode: 0o770)
    let foreign = try places.make("foreign")
    #expect(chown(foreign, 12_345, 12_345) == 0 || geteuid() != 0)
    let file = "\(places.root)/file"
    #expect(FileManager.default.createFile(atPath: file, contents: nil))
    var unusable = ["relative", "", "\(places.root)/missing", file, open]
    if geteuid() == 0 { unusable.append(foreign) }
    for path in unusable { #expect(try places.place(path).directory == "\(runtime)/quickvault") }
  }

  @Test("The directory is made with mode 0700, and opened again")
  func directory() throws {
    let place = try places.place()
    #expect(try ServiceDirectory.open(place, creating: false) == nil)
    #expect(refusal(place) == nil)
    #expect(refusal(place) == nil)
    let mode = try FileManager.default.attributesOfItem(atPath: place.directory)[.posixPermissions] as? Int
    #expect(mode == 0o700)
  }

  @Test("A link, a file, a directory of another user or of another mode is refused")
  func refused() throws {
    let place = try places.place()
    let path = place.directory
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: try places.make("real"))
    #expect(refusal(place) == .link(path))
    try FileManager.default.removeItem(atPath: path)

    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    #expect(refusal(place) == .noDirectory(path))
    try FileManager.default.removeItem(atPath: path)

    for mode in [0o755, 0o701, 0o770, 0o500] as [mode_t] {
      #expect(mkdir(path, 0o700) == 0 && chmod(path, mode) == 0)
      if geteuid() == 0 || mode & 0o400 != 0 { #expect(refusal(place) == .wrongMode(path, mode)) }
      rmdir(path)
    }
    guard geteuid() == 0 else { return }
    #expect(mkdir(path, 0o700) == 0 && chown(path, 12_345, 12_345) == 0)
    #expect(refusal(place) == .otherOwner(path, 12_345))
  }

  @Test("All names of a vault have the same place, whether it exists or not")
  func names() throws {
    let files = FileManager.default
    let direct = try places.place()
    try files.createSymbolicLink(atPath: "\(places.root)/way", withDestinationPath: "data")
    try files.createSymbolicLink(atPath: "\(places.root)/link", withDestinationPath: "data/vault")
    try files.createSymbolicLink(
      atPath: "\(places.root)/data/far", withDestinationPath: "\(places.root)/link")
    for exists in [false, true] {
      if exists { #expect(files.createFile(atPath: direct.vault, contents: nil)) }
      for name in [
        "way/vault", "link", "data/far", "data/./vault", "data/../data//vault", "way/../data/vault",
      ] {
        #expect(try places.place(vault: name) == direct, "\(name) exists: \(exists)")
      }
    }
    #expect(direct.vault.hasSuffix("/data/vault"))
    #expect(try places.place(vault: "data/other").name != direct.name)
    #expect(try places.place(vault: "new/deep/../vault").vault.hasSuffix("/new/vault"))
  }

  @Test("A circle of links is an error")
  func circle() throws {
    try FileManager.default.createSymbolicLink(atPath: "\(places.root)/a", withDestinationPath: "b")
    try FileManager.default.createSymbolicLink(atPath: "\(places.root)/b", withDestinationPath: "a")
    #expect(throws: (any Error).self) { try places.place(vault: "a") }
    #expect(throws: (any Error).self) { try places.place(vault: "a/vault") }
  }

  @Test("The name is the FNV-1a hash of the real path, in 16 digits")
  func hash() throws {
    func name(_ path: String) throws -> String {
      try ServiceLocation(vault: path, environment: { _ in nil }, root: places.root).name
    }
    #expect(try name("/nowhere/foobar") == "00f819d1e0676a80")
    #expect(try name("/nowhere/200") == "0043192a4da41645")
  }
}
