import TestVectors
import Testing
import VaultCrypto
import Wire

/// What the vectors of the vault format exercise, by the name of the operation.
let formatOperations: [String: @Sendable (Vector) throws -> Void] = [
  "record-seal": { vector in
    let sealer = try VaultKeys(vaultKey: vector.secret("vault-key")).sealer
    let place = try place(vector)
    let salt = try Salt(vector.bytes("salt"))
    let sealed = try vector.bytes("plaintext").withRawSpan { (span) throws(CryptoError) in
      try sealer.seal(span, at: place, salt: salt)
    }
    #expect(try sealed == vector.bytes("sealed"))
    #expect(try openRecord(vector) == vector.bytes("plaintext"))
  },
  "record-open": { vector in
    let plaintext = try openRecord(vector)
    #expect(try plaintext == vector.bytes("plaintext"))
  },
  "key-derivation": { vector in
    let key = try derivation(vector).deriveKey(
      from: SecretBytes(password: vector.text("text-password")), salt: Salt(vector.bytes("salt")))
    #expect(try key == vector.secret("key"))
  },
  "slot-seal": { vector in
    let slot = try KeySlot.seal(
      vector.secret("vault-key"), under: slotSecret(vector), of: vector.identifier("vault"),
      kind: slotKind(vector), derivation: derivation(vector), id: vector.identifier("slot"),
      salt: Salt(vector.bytes("salt")))
    #expect(try slot.sealed == vector.bytes("sealed"))
    #expect(try openSlot(vector) == vector.secret("vault-key"))
  },
  "slot-open": { vector in
    let vaultKey = try openSlot(vector)
    #expect(try vaultKey == vector.secret("vault-key"))
  },
  "record-hash": { vector in
    let hasher = try VaultKeys(vaultKey: vector.secret("vault-key")).hasher
    var hash = RecordHash()
    for line in vector.lines where ["add", "remove"].contains(line.name) {
      let element = try element(line.value, hasher)
      if line.name == "add" { hash.add(element) } else { hash.remove(element) }
    }
    #expect(try hash.bytes == vector.bytes("hash"))
  },
  "plain-hash": { vector in
    let slots = try vector.lines.filter { $0.name == "slot" }.map { try plainSlot($0.value) }
    let settings = try String(decoding: vector.bytes("settings"), as: UTF8.self)
    #expect(try PlainHash.hash(slots: slots, settings: settings) == vector.bytes("hash"))
    #expect(try PlainHash.hash(slots: slots.reversed(), settings: settings) == vector.bytes("hash"))
  },
  "head-decode": { vector in
    let head = try decodeHead(vector.bytes("encoded"), generation: vector.number("generation"))
    #expect(try head.recordHash.bytes == vector.bytes("record-hash"))
    #expect(try head.cardCount == vector.number("cards"))
    #expect(try head.documentCount == vector.number("documents"))
    #expect(try head.attachmentCount == vector.number("attachments"))
    #expect(try head.recentSince == vector.number("recent-since"))
    let changes = head.recentChanges.map { "\($0.generation) \($0.card.bytes.hexadecimal)" }
    #expect(changes == vector.lines.filter { $0.name == "change" }.map(\.value))
    #expect(head.plainHash == (try? vector.bytes("plain-hash")))
    #expect(try head.encoded() == vector.bytes("encoded"))
  },
  "conflict-copy": { vector in
    let vault = try vector.identifier("vault")
    let copy = try Identifier(copyOf: vector.identifier("card"), tag: vector.number("tag"), in: vault)
    #expect(try copy == vector.identifier("copy"))
    let mask = try AttachmentMask(ofCopy: copy, tag: vector.number("tag"), in: vault)
    for (from, to) in [("", "copied-"), ("copied-", "")] {
      let attachment = try mask.applied(to: vector.identifier(from + "attachment"))
      #expect(try attachment == vector.identifier(to + "attachment"))
      let place = { RecordContext(vault: vault, kind: .attachment, record: $0, revision: 1) }
      let sealer = try VaultKeys(vaultKey: vector.secret("vault-key")).sealer
      let (sealed, buffer) = (try vector.bytes(from + "sealed"), PlaintextBuffer())
      try sealer.open(sealed, at: place(vector.identifier(from + "attachment")), into: buffer)
      let salt = try mask.applied(to: Salt(Array(sealed.prefix(Salt.count))))
      let copied = try content(of: buffer).withRawSpan { (span) throws(CryptoError) in
        try sealer.seal(span, at: place(attachment), salt: salt)
      }
      #expect(try copied == vector.bytes(to + "sealed"))
    }
  },
]

func decodeHead(_ bytes: [UInt8], generation: UInt64) throws -> VaultHead {
  try bytes.withRawSpan { (span) throws(CryptoError) in
    try VaultHead(decoding: span, generation: generation)
  }
}

func content(of buffer: PlaintextBuffer) -> [UInt8] {
  buffer.withContent { span in span.withUnsafeBytes { [UInt8]($0) } }
}

private func place(_ vector: Vector) throws -> RecordContext {
  RecordContext(
    vault: try vector.identifier("vault"),
    kind: try #require(RecordKind(rawValue: vector.number("kind"))),
    record: try vector.identifier("record"), revision: try vector.number("revision"))
}

private func openRecord(_ vector: Vector) throws -> [UInt8] {
  let buffer = PlaintextBuffer()
  try VaultKeys(vaultKey: vector.secret("vault-key")).sealer.open(
    vector.bytes("sealed"), at: place(vector), into: buffer)
  return content(of: buffer)
}

private func derivation(_ vector: Vector) throws -> KeyDerivation {
  try KeyDerivation(
    algorithm: vector.number("algorithm"), iterations: vector.number("iterations"),
    memoryKiB: vector.number("memory-kib"))
}

private func slotKind(_ vector: Vector) throws -> KeySlot.Kind {
  try KeySlot.Kind(stored: vector.number("kind"))
}

private func slotSecret(_ vector: Vector) throws -> SecretBytes {
  if let password = try? vector.text("text-password") { return try SecretBytes(password: password) }
  return try vector.secret("secret")
}

private func openSlot(_ vector: Vector) throws -> SecretBytes {
  let slot = try KeySlot(
    id: vector.identifier("slot"), kind: slotKind(vector), derivation: derivation(vector),
    salt: Salt(vector.bytes("salt")), sealed: vector.bytes("sealed"))
  return try slot.open(with: slotSecret(vector), of: vector.identifier("vault"))
}

private func element(_ line: String, _ hasher: RecordHasher) throws -> RecordHash.Element {
  let parts = line.split(separator: " ").map(String.init)
  try #require(parts.count == 4)
  return try hasher.element(
    kind: try #require(RecordKind(rawValue: Vector.number(parts[0]))),
    id: Identifier(Vector.bytes(hexadecimal: parts[1])), revision: Vector.number(parts[2]),
    sealed: Vector.bytes(hexadecimal: parts[3]))
}

private func plainSlot(_ line: String) throws -> PlainHash.Slot {
  let parts = line.split(separator: " ").map(String.init)
  try #require(parts.count == 7)
  return PlainHash.Slot(
    id: try Identifier(Vector.bytes(hexadecimal: parts[0])), kind: try Vector.number(parts[1]),
    algorithm: try Vector.number(parts[2]), iterations: try Vector.number(parts[3]),
    memoryKiB: try Vector.number(parts[4]), salt: try Vector.bytes(hexadecimal: parts[5]),
    sealed: try Vector.bytes(hexadecimal: parts[6]))
}
