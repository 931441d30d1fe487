import Glibc
import TestSamples
import Wire

/// The vaults to measure: made once by the server, kept, and copied for each run.
struct VaultFiles {
  static let password = "correct horse 电池 staple"
  /// The minimum that the format allows; the time of the derivation is subtracted from unlock.
  static let iterations = 100_000

  let server: String
  /// The directory of the vaults.
  let directory: String
  /// A file system in memory, where vaults are made if there is room.
  var memory = "/dev/shm"

  /// The path of a vault with the sample cards 0..<count; do not change it.
  ///
  /// Uses the vault of an earlier run if it is intact and has this number of cards.
  func vault(of count: Int) throws -> String {
    let path = "\(directory)/cards-\(count).quickvault"
    if Files.exists(path), (try? check(path, count)) != nil { return path }
    tell("making a vault of \(count) cards")
    try make(path, count)
    try check(path, count)
    return path
  }

  /// Copies a vault.
  func copy(of vault: String, to path: String) throws {
    try remove(path)
    try Files.copy(vault, to: path)
  }

  private func check(_ path: String, _ count: Int) throws {
    let client = try Client(server: server, vault: path)
    try client.initialize()
    let answer = try client.ask("session/unlock", ["password": .string(Self.password)])
    try client.end()
    guard answer["cardCount"]?.integer == count, answer["integrity"] == "intact" else {
      throw BenchmarkError.wrong("the vault of \(count) cards is not what it should be")
    }
  }

  /// Each card is a request and a commit. This happens in memory if there is room, because the commits would take minutes on a
  /// disk; the result is then copied to the disk.
  private func make(_ path: String, _ count: Int) throws {
    let name = "quickvault-benchmark-\(UInt64.random(in: 0...(.max))).quickvault"
    let workshop = "\(workshop(for: count) ?? directory)/\(name)"
    try remove(workshop)
    defer { try? remove(workshop) }
    let client = try Client(server: server, vault: workshop)
    try client.initialize()
    _ = try client.ask(
      "vault/create",
      [
        "password": .string(Self.password),
        "kdf": ["algorithm": "pbkdf2-hmac-sha256", "iterations": .integer(Self.iterations)],
      ])
    _ = try client.ask("settings/update", ["autoLockSeconds": nil])
    for start in stride(from: 0, to: count, by: 16) {
      try client.ask(
        all: (start..<min(start + 16, count)).map { ("card/create", SampleCard(number: $0).parameters) })
    }
    let verified = try client.ask("vault/verify")
    guard verified["integrity"] == "intact", verified["cards"]?.integer == count else {
      throw BenchmarkError.wrong("vault/verify of \(count) new cards: \(verified.text)")
    }
    try client.end()
    try remove(path)
    try Files.copy(workshop, to: path + ".new")
    try Files.move(path + ".new", to: path)
  }

  /// The file system in memory, if it has 4 KiB for each card and another 64 MiB.
  private func workshop(for count: Int) -> String? {
    var information = statvfs()
    guard unsafe statvfs(memory, &information) == 0, unsafe access(memory, W_OK) == 0,
      UInt64(information.f_bavail) * UInt64(information.f_frsize) > UInt64(count) * 4_096 + 64 << 20
    else { return nil }
    return memory
  }

  /// Removes a database with its `-wal` and `-shm` files, and what the server remembers of it.
  private func remove(_ path: String) throws {
    for suffix in ["", "-wal", "-shm", ".state"] where Files.exists(path + suffix) {
      try Files.remove(path + suffix)
    }
  }
}
