import Glibc
import VaultCrypto
import VaultStore
package import Wire

extension VaultSession {
  /// Returns what distinguishes the place of the vault's file: a hash of user, machine and real path.
  package func replicaPlace() throws -> String {
    let realPath = SystemPath.resolved(path) ?? path
    let hash = try SHA256.hash(of: Array("quickvault/v1/place\n\(device)\n\(realPath)".utf8))
    return hash.prefix(16).hexadecimal
  }

  /// Gives a copy of a synchronised vault an identity of its own before anything is written to it: two files that write under the
  /// same identity would each lose what the other wrote.
  ///
  /// A file is a copy if it lies elsewhere than it did, or if this user has not had it open before as it is.
  func assignNewReplicaToCopy(_ vault: OpenVault) throws {
    guard vault.replica != nil, vault.integrity == .intact else { return }
    let place = try replicaPlace()
    guard let document = try vault.reading({ try vault.syncDocument($0) }),
      document.place != place || vault.needsNewReplica
    else { return }
    try assignNewReplica(of: vault, at: place)
  }

  /// Gives a synchronised vault another identity. If it cannot be written, it stays read-only until it has one.
  func assignNewReplica(of vault: OpenVault, at place: String) throws {
    let replica = try Identifier.random()
    vault.needsNewReplica = false
    do {
      try vault.change { transaction, change in
        guard var document = try vault.syncDocument(transaction.read) else { return }
        document.assignNewIdentity(as: replica, at: place)
        try vault.write(document, transaction, &change)
      }
    } catch VaultError.readOnly {
      vault.needsNewReplica = true
    } catch let error as StoreError where error.preventsWritingOnly {
      (vault.needsNewReplica, vault.couldNotBeWritten) = (true, true)
    }
  }
}

extension SyncDocument {
  /// Gives this file a new replica id. The former id's stream is then treated as that of another replica.
  package mutating func assignNewIdentity(as replica: Identifier, at place: String) {
    let former = self.replica
    for name in ["sequence", "hash"] { values["\(former).\(name)"] = values["own.\(name)"] }
    values["\(former).merged"] = values["own.sequence"]
    values["\(former).machine"] = values["machine"]
    for name in values.names where name.hasPrefix("own.") || name.hasPrefix("keys.") { values[name] = nil }
    (self.replica, self.place) = (replica, place)
  }

  /// Gives this file a new replica id, and lets it read everything in the folder again, also what was published under the former id,
  /// which it goes on to publish.
  package mutating func startOver(as replica: Identifier) {
    succeed(as: replica)
    for other in others { readAgain(other) }
  }

  /// Gives this file a new replica id. It reads what was published under the former id from the beginning, and goes on to publish it.
  package mutating func succeed(as replica: Identifier) {
    let former = self.replica
    assignNewIdentity(as: replica, at: place)
    self.former = former
    readAgain(former)
  }

  private mutating func readAgain(_ other: Identifier) {
    let seen = ["sequence", "announced"].compactMap { values["\(other).\($0)"].flatMap { Int64($0) } }.max()
    for name in ["hash", "first", "begun", "merged"] { values["\(other).\(name)"] = nil }
    values["\(other).announced"] = seen.map(String.init)
    values["\(other).sequence"] = "0"
  }
}

/// The document `account`: the server and its credentials. It is not synchronised.
extension VaultSession {
  private static let accountDocument = "account"

  /// Reads the account; nil if there is none, or if it does not open.
  ///
  /// - Throws: ``VaultError/locked``.
  package func accountValues() throws -> KeyValueText? {
    let vault = try unlocked()
    return try vault.reading { transaction in
      guard let row = try transaction.document(Self.accountDocument) else { return nil }
      return (try? vault.reader.text(of: row)).flatMap { $0 }.flatMap(KeyValueText.init)
    }
  }

  /// Keeps the account in place of the one before; nil forgets it.
  ///
  /// - Throws: ``VaultError/locked``, ``VaultError/readOnly``.
  package func setAccount(_ values: KeyValueText?) throws {
    let vault = try unlocked()
    try vault.change { transaction, change in
      if let values {
        _ = try vault.write(values.text, as: Self.accountDocument, transaction, &change)
      } else {
        try vault.removeDocument(Self.accountDocument, transaction, &change)
      }
    }
  }
}
