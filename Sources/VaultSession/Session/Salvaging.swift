import Identifiers
import VaultCrypto
import VaultModel
import VaultStore

extension VaultSession {
  /// Does something with the file, and where SQLite cannot read it, once more with the file opened anew, for a read may
  /// fail for a moment, and then with what can be read around SQLite.
  func readingAround<Value>(_ body: (VaultFile) throws -> Value) throws -> Value {
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

  /// Reads the file around SQLite from now on.
  func salvage(_ isGenuine: @escaping (SalvagedRecord) -> Bool = { _ in true }) throws -> VaultFile {
    // The descriptor that reads around SQLite would end the locks of a connection.
    closeFile()
    let salvaged = try VaultFile.salvage(at: path, isGenuine: isGenuine)
    adopt(salvaged)
    return salvaged
  }

  /// Opens the vault with its key. Of a file that SQLite cannot read, what is still there is read around SQLite.
  ///
  /// - Parameters:
  ///   - second: another connection to the file, where one was made already.
  ///   - first: what this thread does, once, while another begins to read.
  func open(
    second: VaultFile? = nil, vaultKey: SecretBytes, slot: Identifier,
    doing first: (VaultFile) throws -> Void = { _ in }
  ) throws -> OpenVault {
    var (isDone, second) = (false, second)
    let vault = try vaultFile().read { try $0.vault().vaultID }
    for _ in 0..<2 {
      let file = try vaultFile()
      if file.isSalvaged { break }
      do {
        let opened = try OpenVault.open(file, second: second, vaultKey: vaultKey, slot: slot) {
          if !isDone { try first(file) }
          isDone = true
        }
        // A broken tree may lead past rows that are whole.
        if try opened.isIntact || file.isStructureIntact() { return opened }
        opened.close()
      } catch StoreError.corrupt {
        // A read may have failed for a moment: once more with the file opened anew.
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
