import Testing
import VaultCrypto
import Wire

@Suite("Records")
struct RecordTests {
  @Test("R10 A changed bit at any position is noticed, and leaves nothing in the buffer")
  func tampering() throws {
    let fixtures = try Fixtures()
    let sealed = try fixtures.sealed(7)
    let buffer = PlaintextBuffer(capacity: 256)
    for position in sealed.indices {
      for bit in 0..<8 {
        var changed = sealed
        changed[position] ^= 1 << UInt8(bit)
        #expect(throws: CryptoError.authenticationFailed, "position \(position), bit \(bit)") {
          try fixtures.keys.sealer.open(changed, at: fixtures.place, into: buffer)
        }
        #expect(buffer.count == 0)
        #expect(buffer.isZero)
      }
    }
    try fixtures.keys.sealer.open(sealed, at: fixtures.place, into: buffer)
    #expect(content(of: buffer) == [UInt8](repeating: 7, count: 24))
  }

  @Test("R10 A record cut short anywhere does not open")
  func truncation() throws {
    let fixtures = try Fixtures()
    let sealed = try fixtures.sealed(7)
    let buffer = PlaintextBuffer()
    for count in sealed.indices {
      let expected: CryptoError = count < RecordSealer.overhead ? .malformed : .authenticationFailed
      #expect(throws: expected, "\(count) bytes") {
        try fixtures.keys.sealer.open(Array(sealed.prefix(count)), at: fixtures.place, into: buffer)
      }
    }
  }

  @Test("R10 A record opens at its own place only")
  func wrongPlace() throws {
    let fixtures = try Fixtures()
    let sealed = try fixtures.keys.sealer.seal([1, 2, 3], at: fixtures.place)
    let changes: [(String, (inout RecordContext) -> Void)] = [
      ("vault", { $0.vault = Identifier(high: 1, low: 3) }),
      ("record", { $0.record = Identifier(high: 2, low: 4) }),
      ("kind", { $0.kind = .document }),
      ("revision up", { $0.revision += 1 }),
      ("revision down", { $0.revision -= 1 }),
    ]
    for (name, change) in changes {
      var place = fixtures.place
      change(&place)
      #expect(throws: CryptoError.authenticationFailed, "\(name)") {
        try fixtures.keys.sealer.open(sealed, at: place, into: PlaintextBuffer())
      }
    }
    let others = try VaultKeys(vaultKey: VaultKeys.newVaultKey())
    #expect(throws: CryptoError.authenticationFailed) {
      try others.sealer.open(sealed, at: fixtures.place, into: PlaintextBuffer())
    }
  }

  @Test("R10 Every seal has a fresh salt, and records of every length are opened again")
  func roundTrip() throws {
    let fixtures = try Fixtures()
    let duplicate = try fixtures.keys.duplicate()
    let buffer = PlaintextBuffer(capacity: 0)
    var salts: Set<[UInt8]> = []
    for count in Array(0...70) + [4095, 4096, 4097, 100_000] {
      let plaintext = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      let sealed = try fixtures.keys.sealer.seal(plaintext, at: fixtures.place)
      #expect(sealed.count == count + RecordSealer.overhead)
      salts.insert(Array(sealed.prefix(Salt.count)))
      try duplicate.sealer.open(sealed, at: fixtures.place, into: buffer)
      #expect(content(of: buffer) == plaintext)
    }
    #expect(salts.count == 75)
  }

  @Test("R10 The associated data is laid out as the format says")
  func associatedData() throws {
    let place = RecordContext(
      vault: Identifier(high: 0x0001_0203_0405_0607, low: 0x0809_0A0B_0C0D_0E0F), kind: .document,
      record: Identifier(high: 0x1011_1213_1415_1617, low: 0x1819_1A1B_1C1D_1E1F), revision: 0x2021_2223)
    #expect(
      place.associatedData
        == Array("quickvault/v1/ad".utf8) + [UInt8](0...15) + [3] + [UInt8](16...31)
        + [0, 0, 0, 0, 0x20, 0x21, 0x22, 0x23])
    #expect(
      RecordContext.head(of: place.vault, generation: 9)
        == RecordContext(vault: place.vault, kind: .head, record: .zero, revision: 9))
  }

  @Test("R10 A wiped buffer holds nothing, a shorter record after a longer one included")
  func wiping() throws {
    let fixtures = try Fixtures()
    let buffer = PlaintextBuffer(capacity: 512)
    let long = try fixtures.keys.sealer.seal([UInt8](repeating: 0xAA, count: 300), at: fixtures.place)
    let short = try fixtures.keys.sealer.seal([0xBB], at: fixtures.place)
    try fixtures.keys.sealer.open(long, at: fixtures.place, into: buffer)
    try fixtures.keys.sealer.open(short, at: fixtures.place, into: buffer)
    #expect(content(of: buffer) == [0xBB])
    #expect(!buffer.isZero)
    buffer.wipe()
    #expect(buffer.count == 0)
    #expect(buffer.isZero)
    #expect(content(of: buffer).isEmpty)
  }

  @Test("R17 Keys of another length are refused")
  func keyLengths() throws {
    let short = try SecretBytes(copying: [UInt8](repeating: 1, count: 31))
    #expect(throws: CryptoError.parametersOutOfRange) { try VaultKeys(vaultKey: short) }
    #expect(throws: CryptoError.parametersOutOfRange) { try RecordSealer(recordKey: short) }
    #expect(throws: CryptoError.parametersOutOfRange) { try RecordHasher(recordHashKey: short) }
  }

  @Test("R10 Threads with keys of their own do not disturb each other")
  func threads() async throws {
    let fixtures = try Fixtures()
    let vaultKey = fixtures.vaultKey
    let place = fixtures.place
    let sealed = try (0..<64).map { try fixtures.sealed($0) }
    let opened = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<4 {
        group.addTask {
          let sealer = try VaultKeys(vaultKey: vaultKey).sealer
          let buffer = PlaintextBuffer()
          var count = 0
          for (number, record) in sealed.enumerated() {
            try sealer.open(record, at: place, into: buffer)
            if content(of: buffer) == [UInt8](repeating: UInt8(number), count: 24) { count += 1 }
          }
          return count
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(opened == 4 * 64)
  }
}
