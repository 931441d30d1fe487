public import Wire

extension Identifier {
  /// The identifier of a device for one vault: always the same for a user of a machine, and
  /// different for each vault, so that two vaults do not reveal that they share a device.
  ///
  /// It is the first 16 bytes of SHA-256 over `quickvault/v1/device-id`, the vault's id and the device's name, with the
  /// bits of a version 8 UUID (RFC 9562, section 5.8).
  ///
  /// - Parameters:
  ///   - name: identifies this user on this machine.
  ///   - vault: the vault.
  public init(device name: String, of vault: Identifier) throws(CryptoError) {
    let hash = try SHA256.hash(of: Array("quickvault/v1/device-id".utf8) + vault.bytes + Array(name.utf8))
    let whole = try Identifier(Array(hash.prefix(Self.byteCount)))
    self.init(
      high: whole.high & 0xFFFF_FFFF_FFFF_0FFF | 0x8000,
      low: whole.low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
  }
}
