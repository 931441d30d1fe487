import VaultCrypto
import VaultInterface
import VaultStore
import Wire

extension VaultSession {
  /// Runs `body` with the file. If SQLite cannot read it, runs it again after reopening the file, because a read may
  /// fail temporarily, and then with the records that can be salvaged.
  func readingOrSalvaging<Value>(_ body: (VaultFile) throws -> Value) throws -> Value {
    for _ in 0..<2 {
      let file = try vaultFile()
      do {
        return try body(file)
      } catch StoreError.corrupt where !file.isSalvaged && isLocked {
        closeFile()
      }
    }
    return try body(salvage())
  }

  /// Salvages the records of the file, and uses them from now on.
  func salvage(_ isGenuine: @escaping (SalvagedRecord) -> Bool = { _ in true }) throws -> VaultFile {
    // Closing the descriptor that salvages would drop the locks of a connection.
    closeFile()
    let salvaged = try VaultFile.salvage(at: path, isGenuine: isGenuine)
    adopt(salvaged)
    return salvaged
  }

  /// Opens the vault with its key. If SQLite cannot read the file, its records are salvaged.
  ///
  /// - Parameters:
  ///   - second: another connection to the file, if there is one.
  ///   - first: runs once on this thread while another begins to read.
  func open(
    second: VaultFile? = nil, vaultKey: SecretBytes, slot: Identifier,
    doing first: (VaultFile) throws -> Void = { _ in }
  ) throws -> OpenVault {
    var (isDone, second) = (false, second)
    let vault = try vaultFile().read { try $0.vaultID() }
    for _ in 0..<2 {
      let file = try vaultFile()
      if file.isSalvaged { break }
      do {
        let opened = try OpenVault.open(file, second: second, vaultKey: vaultKey, slot: slot) {
          if !isDone { try first(file) }
          isDone = true
        }
        // A broken tree may skip intact rows.
        if try opened.isIntact || file.isStructureIntact() { return opened }
        opened.close()
      } catch StoreError.corrupt {
        // A read may have failed temporarily: open the file again.
        closeFile()
      }
      second = nil
    }
    let records = SalvagedRecords(keys: try VaultKeys(vaultKey: vaultKey), vault: vault)
    let salvaged = try salvage(records.open)
    if !isDone { try first(salvaged) }
    return try OpenVault.open(salvaged, vaultKey: vaultKey, slot: slot)
  }
}
