import VaultInterface
import VaultStore

extension OpenVault {
  var integrity: Integrity { !isIntact ? .damaged : older == nil ? .intact : .older }

  /// Throws what forbids to change the vault.
  func requireWritable() throws(VaultError) {
    guard isIntact else { throw .damaged(damaged.first) }
    guard older == nil else { throw .older }
    guard !file.isReadOnly, !needsNewReplica else { throw .readOnly }
  }

  /// Whether the vault can be read and not written, as far as is known: its file was opened so, or the last write failed
  /// for that reason.
  var isReadOnly: Bool { file.isReadOnly || couldNotBeWritten }

  /// Runs a write that reading does not need: does nothing if the file can only be read.
  func writingIfPossible(_ write: () throws -> Void) throws {
    do {
      try write()
    } catch VaultError.readOnly {
    } catch let error as StoreError where error.preventsWritingOnly {
    }
  }

  /// Runs a write, and notes whether the file can be written.
  func notingWhetherWritable<Value>(_ write: () throws -> Value) throws -> Value {
    do {
      let value = try write()
      couldNotBeWritten = false
      return value
    } catch let error as StoreError where error.preventsWritingOnly {
      couldNotBeWritten = true
      throw error
    }
  }
}
