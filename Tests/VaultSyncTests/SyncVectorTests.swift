import Foundation
import TestVectors
import Testing
import VaultCrypto
import Wire

@testable import Vault

/// The vectors of the synchronised folder: its names, segments, key files and successors.
@Suite("The synchronised folder's vectors")
struct SyncVectorTests {
  private static let directory = "protocol/vectors/sync"

  @Test("S a replica reads what the vectors say", arguments: try Vector.all(in: directory))
  func vector(_ vector: Vector) throws {
    if let expected = try vector.expectedError {
      #expect(throws: expected) { try Self.run(vector) }
    } else {
      try Self.run(vector)
    }
  }

  @Test("S the vectors equal those of the independent implementation")
  func vectorsAreCurrent() throws {
    // python3-cryptography is Debian's and belongs to Debian's Python.
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = [
      Vector.packageRoot.appendingPathComponent("protocol/vectors/make_sync_vectors.py").path, "--check",
    ]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  private static func run(_ vector: Vector) throws {
    let keys = try VaultKeys(vaultKey: vector.secret("vault-key"))
    switch try vector.text("operation") {
    case "epoch":
      let epoch = try keys.hasher.epochIdentifier(of: vector.identifier("vault"))
      #expect(try epoch.description == vector.text("epoch"))
    case "segment": try segment(vector, keys)
    case "key-file": try keyFile(vector, keys)
    case "next":
      let opened = try open(vector, keys, .successor, revision: 1)
      #expect(try Identifier(Array(opened.dropFirst())).description == vector.text("next"))
      #expect(try Successor(epoch: Identifier(Array(opened.dropFirst()))).encoded == opened)
    case let other: throw Vector.Problem.unknownExpectation(other)
    }
  }

  private static func segment(_ vector: Vector, _ keys: VaultKeys) throws {
    let plaintext = try open(vector, keys, .segment, revision: vector.number("number"))
    let segment = try Segment(decoding: plaintext)
    #expect(segment.encoded() == plaintext)
    #expect(try segment.part.rawValue == vector.number("part"))
    #expect(try segment.previous == vector.bytes("previous"))
    #expect(try segment.publishedAt == vector.number("published-at"))
    #expect(try segment.machine == vector.text("text-machine"))
    #expect(try Array((segment.settings ?? "").utf8) == vector.bytes("settings"))
    let seen = segment.seen.sorted { $0.key < $1.key }.map { "\($0.key.bytes.hexadecimal) \($0.value)" }
    #expect(seen == vector.lines.filter { $0.name == "seen" }.map(\.value))
    let cards = segment.families.histories.sorted { $0.key < $1.key }.map { id, history in
      let row = segment.families.rows[id]
      let sealed = row.map { $0.sealed.hexadecimal } ?? "-"
      return "\(id.bytes.hexadecimal) \(row?.revision ?? 0) \(sealed) \(history.encoded().hexadecimal)"
    }
    #expect(cards == vector.lines.filter { $0.name == "card" }.map(\.value))
  }

  private static func keyFile(_ vector: Vector, _ keys: VaultKeys) throws {
    let file = try KeyFile(decoding: vector.bytes("file"))
    guard file.isAuthentic(keys) else { throw CryptoError.authenticationFailed }
    #expect(try file.encoded == vector.bytes("file"))
    #expect(try file.vault == vector.identifier("vault"))
    #expect(try file.replica == vector.identifier("replica"))
    #expect(try file.number == vector.number("number"))
    #expect(try file.version == vector.number("version"))
    #expect(try file.changedAt == vector.number("chosen-at"))
    #expect(try file.slot.id == vector.identifier("slot"))
    #expect(try file.slot.algorithm == vector.number("algorithm"))
    #expect(try file.slot.iterations == vector.number("iterations"))
    #expect(try file.slot.memoryKiB == vector.number("memory-kib"))
    let password = try SecretBytes(password: vector.text("text-password"))
    #expect(try KeySlot(file.slot).open(with: password, of: file.vault) == vector.secret("vault-key"))
  }

  private static func open(
    _ vector: Vector, _ keys: VaultKeys, _ kind: RecordKind, revision: UInt64
  ) throws -> [UInt8] {
    let place = try RecordContext(
      vault: vector.identifier("vault"), kind: kind, record: vector.identifier("replica"), revision: revision)
    let buffer = PlaintextBuffer(capacity: 1 << 16)
    try keys.sealer.open(vector.bytes("sealed"), at: place, into: buffer)
    return buffer.withContent { span in unsafe span.withUnsafeBytes { unsafe [UInt8]($0) } }
  }
}
