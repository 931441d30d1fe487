import VaultCrypto
public import VaultInterface
import VaultStore
public import Wire

/// A new device binding that is not stored yet.
public struct NewBinding: Sendable {
  public let device: Identifier
  /// The 32 bytes to store in the device's keychain.
  public let secret: [UInt8]
  let slot: KeySlot
}

// MARK: Locked and unlocked

extension VaultSession {
  /// Returns the identifier of this device for this vault.
  public func thisDevice() throws -> Identifier {
    try thisDevice(in: vaultFile())
  }

  /// Returns the vault's identifier, which names the keychain's secrets.
  public func vaultIdentifier() throws -> Identifier {
    try vaultFile().read { try $0.vaultID() }
  }
}

// MARK: Unlocked

extension VaultSession {
  /// Returns the bound devices in the order of binding.
  ///
  /// - Throws: ``VaultError/locked``.
  public func devices() throws -> [BoundDevice] {
    let vault = try unlocked()
    let this = try thisDevice(in: vault.file)
    return try vault.reading { transaction in
      let document = vault.devices(transaction)
      return try transaction.slots().filter(\.isDevice).map { slot in
        let id = slot.id
        let entry = document[id]
        return BoundDevice(
          id: id, name: entry?.name ?? "", createdAt: entry?.createdAt ?? Timestamp(milliseconds: 0),
          lastUsedAt: entry?.lastUsedAt, isThisDevice: id == this)
      }.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }
  }

  /// Makes a secret for this device and a slot that it opens, without writing anything.
  ///
  /// - Throws: ``VaultError/locked``.
  public func newBinding() throws -> NewBinding {
    let vault = try unlocked()
    let device = try thisDevice(in: vault.file)
    let secret = try SecretBytes(randomCount: KeyDerivation.deviceSecretCount)
    let slot = try KeySlot.seal(
      vault.keys.vaultKey, under: secret, of: vault.identifier, device: device)
    return NewBinding(device: device, secret: secret.withSpan { $0.copy }, slot: slot)
  }

  /// Binds this device, replacing an older binding of it. From then on, binding is not offered to it.
  ///
  /// - Parameters:
  ///   - name: the name that the user gave it.
  ///   - fingerprints: identifies the set of enrolled fingerprints.
  /// - Throws: ``VaultError/locked``, ``VaultError/damaged(_:)``.
  public func bind(_ binding: NewBinding, name: String, fingerprints: String) throws -> BoundDevice {
    let vault = try unlocked()
    let now = Timestamp(milliseconds: clock.wall)
    let digest = try Self.digest(ofFingerprints: fingerprints)
    try vault.changeDevices { transaction, document in
      let row = binding.slot.row
      if try transaction.read.slots().contains(where: { $0.id == row.id }) {
        try transaction.replaceSlot(row.id, with: row)
      } else {
        try transaction.insertSlot(row)
      }
      document[binding.device] = .init(name: name, createdAt: now, lastUsedAt: nil, fingerprints: digest)
      document.recordOffer(binding.device)
      try transaction.appendEvent(event(.deviceBound, means: "fingerprint"))
    }
    return BoundDevice(id: binding.device, name: name, createdAt: now, lastUsedAt: nil, isThisDevice: true)
  }

  /// Revokes a device: deletes its slot, so that the secret in its keychain opens nothing.
  ///
  /// - Throws: ``BiometricError/deviceNotFound(_:)``, ``VaultError/locked``.
  public func revoke(_ device: Identifier) throws {
    let vault = try unlocked()
    try vault.removeDevice(device, event(.deviceRevoked))
  }

  /// Returns whether to offer binding this device; true once per device.
  public func shouldOfferBinding() -> Bool {
    guard let vault = opened, vault.integrity == .intact, vault.settings.isOn(.biometricUnlock),
      let this = try? thisDevice(in: vault.file)
    else { return false }
    let isNew = try? vault.reading { transaction in
      let isBound = try transaction.slots().contains { $0.id == this }
      return !isBound && !vault.devices(transaction).wasOffered(this)
    }
    guard isNew == true else { return false }
    return (try? vault.changeDevices { _, document in document.recordOffer(this) }) != nil
  }
}

// MARK: Unlocking

extension VaultSession {
  /// Unlocks the vault with this device's secret after a fingerprint matched, or checks the binding of an unlocked vault.
  ///
  /// If the enrolled fingerprints have changed since the device was bound, the binding is void and its slot is deleted (B).
  ///
  /// - Parameters:
  ///   - secret: the secret from the device's keychain.
  ///   - fingerprints: identifies the set of enrolled fingerprints.
  /// - Throws: ``BiometricError/notEnabled``, ``BiometricError/invalidContext``,
  ///   ``BiometricError/enrollmentChanged``, ``BiometricError/biometryNotAvailable(_:)`` if the settings do not allow
  ///   unlocking by fingerprint, and what opening a file throws.
  public func unlock(deviceSecret secret: [UInt8], fingerprints: String) async throws {
    let file = try reopenedFile()
    let device = try thisDevice(in: file)
    let (vaultKey, slot) = try open(deviceSecret: secret, of: device, in: file)
    let isOpening = opened == nil
    let vault =
      if let opened { opened } else { try OpenVault.open(file, vaultKey: vaultKey, slot: slot) }
    do {
      if isOpening {
        try vault.compareWithLastKnownState(in: states)
        try updatePlainRows(of: vault, binds: false)
        try assignNewReplicaToCopy(vault)
      }
      guard vault.settings.isOn(.biometricUnlock) else {
        throw BiometricError.biometryNotAvailable(.turnedOff)
      }
      try check(device, fingerprints, in: vault, noting: event(.unlocked, means: "fingerprint"))
    } catch {
      if isOpening {
        vault.close()
        close()
      }
      throw error
    }
    opened = vault
  }

  /// Checks this device's secret and fingerprints for an unlocked vault, as ``unlock(deviceSecret:fingerprints:)`` does.
  /// Logs failures only.
  ///
  /// - Throws: what ``unlock(deviceSecret:fingerprints:)`` throws; ``VaultError/locked``.
  public func authorize(deviceSecret secret: [UInt8], fingerprints: String) throws {
    let vault = try unlocked()
    let device = try thisDevice(in: vault.file)
    _ = try open(deviceSecret: secret, of: device, in: vault.file)
    guard vault.settings.isOn(.biometricUnlock) else { throw BiometricError.biometryNotAvailable(.turnedOff) }
    try check(device, fingerprints, in: vault, noting: nil)
  }

  /// Opens the slot of a device.
  private func open(
    deviceSecret secret: [UInt8], of device: Identifier, in file: VaultFile
  ) throws -> (vaultKey: SecretBytes, slot: Identifier) {
    let (row, identifier) = try file.read { transaction in
      (
        try transaction.slots().first { $0.id == device && $0.isDevice },
        try transaction.vaultID()
      )
    }
    guard let row else { throw BiometricError.notEnabled }
    do {
      let key = try KeySlot(row).open(with: SecretBytes(copying: secret), of: identifier)
      return (key, row.id)
    } catch CryptoError.authenticationFailed, CryptoError.parametersOutOfRange {
      throw BiometricError.invalidContext
    }
  }

  /// Compares the fingerprints with those of the binding, and records its use.
  private func check(
    _ device: Identifier, _ fingerprints: String, in vault: OpenVault, noting use: EventRow?
  ) throws {
    guard let entry = try vault.reading({ vault.devices($0)[device] }) else {
      // A deleted slot was restored by another program.
      try vault.writingIfPossible { try vault.removeDevice(device, event(.deviceRevoked)) }
      throw BiometricError.notEnabled
    }
    guard try entry.fingerprints == Self.digest(ofFingerprints: fingerprints) else {
      try vault.writingIfPossible {
        try vault.removeDevice(device, event(.deviceVoided, means: "fingerprint"))
      }
      throw BiometricError.enrollmentChanged
    }
    try vault.writingIfPossible {
      guard vault.integrity == .intact else {
        if let use { try vault.file.appendEvent(use) }
        return
      }
      try vault.changeDevices { transaction, document in
        document[device]?.lastUsedAt = Timestamp(milliseconds: clock.wall)
        if let use { try transaction.appendEvent(use) }
      }
    }
  }

  /// Returns the SHA-256 hash of a set of fingerprints, in hexadecimal.
  private static func digest(ofFingerprints fingerprints: String) throws -> String {
    try SHA256.hash(of: Array("quickvault/v1/prints".utf8) + Array(fingerprints.utf8)).hexadecimal
  }
}

// MARK: The document

extension OpenVault {
  /// Returns the device document; an empty one if it is missing or damaged.
  func devices(_ transaction: borrowing ReadTransaction) -> DeviceDocument {
    DeviceDocument(try? readText(DeviceDocument.name, transaction))
  }

  /// Changes the device document and the slots in one transaction.
  func changeDevices(_ body: (borrowing WriteTransaction, inout DeviceDocument) throws -> Void) throws {
    try change { transaction, vaultChange in
      var document = devices(transaction.read)
      try body(transaction, &document)
      document.keep(Set(try transaction.read.slots().filter(\.isDevice).map { $0.id }))
      _ = try write(document.text, as: DeviceDocument.name, transaction, &vaultChange)
    }
  }

  /// Deletes a device's slot and its entry in the document; of a damaged vault, which is read-only, at least the slot.
  func removeDevice(_ device: Identifier, _ event: EventRow) throws {
    func remove(_ transaction: borrowing WriteTransaction) throws {
      let slot = device
      guard try transaction.read.slots().contains(where: { $0.id == slot && $0.isDevice }) else {
        throw BiometricError.deviceNotFound(device)
      }
      try transaction.deleteSlot(slot)
      try transaction.appendEvent(event)
    }
    if integrity == .intact {
      try changeDevices { transaction, _ in try remove(transaction) }
    } else {
      do {
        try file.write { try reader.changeSlots($0, remove) }
      } catch VaultError.damaged, CryptoError.authenticationFailed, CryptoError.malformed {
        // The head does not match the slots: it is left unchanged, and the vault stays damaged.
        try file.write { try remove($0) }
      }
    }
    if slot == device { slot = passwordSlot }
  }
}

extension RawSpan {
  /// The bytes as an array, which is no longer protected.
  fileprivate var copy: [UInt8] { unsafe withUnsafeBytes { unsafe [UInt8]($0) } }
}
