import Foundation
import TestVectors
import Testing
import VaultCrypto

/// Runs every vector file: those of the standards, and those of the vault format.
@Suite("Vectors")
struct VectorTests {
  static let operations: [String: @Sendable (Vector) throws -> Void] =
    standardOperations.merging(formatOperations) { first, _ in first }

  @Test("R10 The standards' vectors", arguments: try Vector.all(in: "Tests/VaultCryptoTests/vectors"))
  func standard(_ vector: Vector) throws { try run(vector) }

  @Test("R10 The vault format's vectors", arguments: try Vector.all(in: "protocol/vectors"))
  func format(_ vector: Vector) throws { try run(vector) }

  @Test("R10 Every operation has vectors")
  func everyOperationHasVectors() throws {
    let vectors =
      try Vector.all(in: "Tests/VaultCryptoTests/vectors") + Vector.all(in: "protocol/vectors")
    #expect(Set(try vectors.map { try $0.text("operation") }) == Set(Self.operations.keys))
  }

  @Test("R10 The format's vectors equal those of the independent implementation")
  func vectorsAreCurrent() throws {
    // python3-cryptography is Debian's and belongs to Debian's Python.
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = [
      Vector.packageRoot.appendingPathComponent("protocol/vectors/make_vectors.py").path, "--check",
    ]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  private func run(_ vector: Vector) throws {
    let operation = try #require(Self.operations[vector.text("operation")])
    if let expected = try vector.expectedError {
      #expect(throws: expected) { try operation(vector) }
    } else {
      try operation(vector)
    }
  }
}
