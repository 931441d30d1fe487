import VaultCrypto
import VaultInterface
import VaultStore
import Wire

/// The password's slot, as a replica publishes it for machines that join.
package struct KeyFile: Hashable, Sendable {
  var vault: Identifier
  var replica: Identifier
  var number: Int64
  /// The number of times that the password was changed, and when it was last.
  var version: Int64
  /// Milliseconds since 1970 UTC.
  var changedAt: Int64
  var slot: SlotRow
  /// A sealed record with the SHA-256 of the preceding bytes. Only a holder of the vault key can make it.
  var proof: [UInt8] = []

  private static let name = Array("quickvault/v1/keys".utf8)
}

// name (18) ‖ vault (16) ‖ replica (16) ‖ number (8) ‖ version (8) ‖ changed at (8) ‖ slot: id (16), algorithm (1), iterations (4),
// memory (4), salt (16), sealed (48) ‖ proof (64).
extension KeyFile {
  /// The bytes that `proof` authenticates.
  private var content: [UInt8] {
    var bytes = Self.name + vault.bytes + replica.bytes
    bytes.append(bigEndian: number)
    bytes.append(bigEndian: version)
    bytes.append(bigEndian: changedAt)
    bytes += slot.id.bytes + [slot.algorithm]
    bytes.append(bigEndian: slot.iterations)
    bytes.append(bigEndian: slot.memoryKiB)
    return bytes + slot.salt + slot.sealed
  }

  /// The bytes of the file.
  package var encoded: [UInt8] { content + proof }

  /// Reads a file. Whether it is authentic shows only with the vault key: ``isAuthentic(_:)``.
  ///
  /// - Throws: `CryptoError` for one that is malformed, or asks for parameters outside the limits.
  package init(decoding bytes: [UInt8]) throws {
    var reader = ByteReader(bytes[...])
    guard Array(try reader.bytes(Self.name.count)) == Self.name else { throw CryptoError.malformed }
    vault = try reader.identifier()
    replica = try reader.identifier()
    number = try reader.ordinal()
    version = try reader.ordinal()
    changedAt = Int64(bitPattern: try reader.number(8))
    slot = SlotRow(
      id: try reader.identifier(), kind: KeySlot.Kind.password.rawValue,
      algorithm: UInt8(try reader.number(1)),
      iterations: UInt32(try reader.number(4)), memoryKiB: UInt32(try reader.number(4)),
      salt: Array(try reader.bytes(16)), sealed: Array(try reader.bytes(KeySlot.sealedCount)))
    proof = Array(try reader.bytes(reader.count))
    guard version > 0 else { throw CryptoError.malformed }
    _ = try KeySlot(slot)
  }

  /// Makes the file for the slot of a password.
  init(
    _ slot: SlotRow, _ password: PasswordVersion, _ reader: RecordReader, replica: Identifier, number: Int64
  ) throws {
    (vault, self.replica, self.number) = (reader.vault, replica, number)
    (self.slot, version, changedAt) = (slot, password.version, password.changedAt)
    proof = try reader.seal(.keyFile, replica, number, SHA256.hash(of: content))
  }

  var password: PasswordVersion {
    PasswordVersion(version: version, changedAt: changedAt, slot: slot.id)
  }

  /// Returns whether somebody with the vault key made the file.
  func isAuthentic(_ keys: VaultKeys) -> Bool {
    guard let revision = UInt64(exactly: number), let hash = try? SHA256.hash(of: content) else {
      return false
    }
    let place = RecordContext(vault: vault, kind: .keyFile, record: replica, revision: revision)
    let buffer = PlaintextBuffer(capacity: SHA256.count)
    guard (try? keys.sealer.open(proof, at: place, into: buffer)) != nil else { return false }
    return buffer.withContent { span in unsafe span.withUnsafeBytes { unsafe $0.elementsEqual(hash) } }
  }
}

/// Which password a vault has. Of two, every replica takes the same one: that which was changed more often; then that which was
/// changed later; then that with the greater slot.
struct PasswordVersion: Hashable, Sendable, Comparable {
  /// The number of times that a password was chosen; 0 if that is not known.
  var version: Int64
  /// When this replica or another noticed the change first: milliseconds since 1970 UTC.
  var changedAt: Int64
  var slot: Identifier

  static func < (left: PasswordVersion, right: PasswordVersion) -> Bool {
    (left.version, left.changedAt, left.slot) < (right.version, right.changedAt, right.slot)
  }

  /// Returns the version after a change on this replica.
  func changed(to slot: Identifier, at now: Int64) -> PasswordVersion {
    PasswordVersion(
      version: version.saturatingSuccessor, changedAt: max(now, changedAt.saturatingSuccessor), slot: slot)
  }
}

extension SyncDocument {
  /// Returns which password this replica has, as far as it knows.
  ///
  /// - Parameter now: in milliseconds since 1970 UTC.
  func password(of slot: Identifier, at now: Int64) -> PasswordVersion {
    guard let password else { return PasswordVersion(version: 0, changedAt: 0, slot: slot) }
    return password.slot == slot ? password : password.changed(to: slot, at: now)
  }

  /// The password that this replica had at the last synchronisation; nil before the first.
  var password: PasswordVersion? {
    get {
      guard let slot = values["password.slot"].flatMap(Identifier.init),
        let version = values["password.version"].flatMap({ Int64($0) }),
        let changedAt = values["password.changedAt"].flatMap({ Int64($0) })
      else { return nil }
      return PasswordVersion(version: version, changedAt: changedAt, slot: slot)
    }
    set {
      values["password.slot"] = newValue?.slot.description
      values["password.version"] = newValue.map { String($0.version) }
      values["password.changedAt"] = newValue.map { String($0.changedAt) }
    }
  }
}

/// Key files, and what leads from one vault key to the next.
extension SyncFolder {
  // MARK: Key files

  /// The replicas and numbers of the key files that are here.
  private func keyFiles() throws -> [(replica: Identifier, number: Int64)] {
    try names(in: "keys").compactMap(Self.keyFile(named:))
  }

  /// Returns the well-formed key files with correct names. Check them with the vault key: they may be forged.
  func readKeyFiles() throws -> [KeyFile] {
    try smallFiles(in: "keys") { Self.keyFile(named: $0) != nil }.compactMap { name, bytes in
      guard let (replica, number) = Self.keyFile(named: name), let file = try? KeyFile(decoding: bytes),
        file.vault == vault, file.replica == replica, file.number == number
      else { return nil }
      return file
    }
  }

  func write(_ keyFile: [UInt8], keyFile number: Int64, of replica: Identifier) throws {
    try calls.run { [files] in try files.write(keyFile, "keys", Self.keyFileName(number, of: replica)) }
  }

  func removeKeyFile(_ number: Int64, of replica: Identifier) throws {
    try calls.run { [files] in files.remove("keys/\(Self.keyFileName(number, of: replica))") }
  }

  private static func keyFileName(_ number: Int64, of replica: Identifier) -> String {
    "\(replica)-\(name(number))"
  }

  private static func keyFile(named name: String) -> (replica: Identifier, number: Int64)? {
    guard name.utf8.count == 53, let replica = Identifier(String(name.prefix(36))),
      name.dropFirst(36).first == "-", let number = number(String(name.dropFirst(37)))
    else { return nil }
    return (replica, number)
  }

  /// Returns the names and bytes of the files in a directory that can be read, and have no more than 1,024 bytes.
  private func smallFiles(
    in directory: String, where isWanted: @escaping @Sendable (String) -> Bool
  ) throws -> [(name: String, bytes: [UInt8])] {
    try calls.run { [files] in
      try files.names(in: directory).filter(isWanted).compactMap { name in
        (try? files.read("\(directory)/\(name)", limit: 1_024)).map { (name, $0) }
      }
    }
  }

  // MARK: Epochs

  /// Returns the folders of all vaults and epochs.
  ///
  /// - Throws: ``SyncError/folderNotFound``, ``SyncError/notAFolder``, ``FileError``.
  static func all(in folder: UserPath, _ calls: FolderCalls) throws -> [SyncFolder] {
    let found = try calls.run {
      var found: [(vault: Identifier, epoch: Identifier)] = []
      try FolderFiles.requireFolder(folder.path)
      for vault in try FolderFiles.names(in: folder.path).compactMap({ Identifier($0) }) {
        let epochs = try FolderFiles.names(in: "\(folder.path)/\(vault)").compactMap { Identifier($0) }
        found += epochs.map { (vault, $0) }
      }
      return found
    }
    return found.map { SyncFolder(folder, vault: $0, epoch: $1, calls: calls) }
  }

  /// Returns the files in `next`, by replica. Check them with the vault key: they may be forged.
  func successors() throws -> [(replica: Identifier, sealed: [UInt8])] {
    try smallFiles(in: "next") { Identifier($0) != nil }.compactMap { name, sealed in
      Identifier(name).map { ($0, sealed) }
    }
  }

  func write(_ sealed: [UInt8], asSuccessorBy replica: Identifier) throws {
    try calls.run { [files] in try files.write(sealed, "next", replica.description) }
  }

  /// Removes everything that a replica wrote, but what leads to the next epoch.
  func removeReplica(_ replica: Identifier) throws {
    for sequence in try segments(of: replica) { try removeSegment(sequence, of: replica) }
    try removeContents(of: replica, but: [])
    for file in try keyFiles() where file.replica == replica { try removeKeyFile(file.number, of: replica) }
    try calls.run { [files] in
      for directory in ["changes/\(replica)", "contents/\(replica)", "changes", "contents", "keys", "."] {
        files.removeDirectoryIfEmpty(directory)
      }
    }
  }
}
