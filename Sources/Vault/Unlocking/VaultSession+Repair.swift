package import VaultCrypto
import VaultStore
package import Wire

extension VaultSession {
  /// Returns the key of a vault that may be damaged, and the slot that it came from.
  ///
  /// - Parameter password: nil if the vault is unlocked.
  /// - Throws: ``RepairError/notPossible`` where what holds the key is lost; what ``unlock(password:)`` throws.
  package func authenticateForRepair(_ password: String?) async throws -> (
    vaultKey: SecretBytes, slot: Identifier
  ) {
    if let opened, password == nil { return (opened.keys.vaultKey, opened.slot) }
    guard let password else { throw VaultError.locked }
    do {
      _ = try vaultFile()
    } catch let error as StoreError where [.notAVault, .newerVersion, .corrupt].contains(error) {
      // The header may be damaged. A newer program's file is recognized by its list of migrations.
      guard let salvaged = try? VaultFile.salvage(at: path, isGenuine: { _ in true }) else {
        throw error == .corrupt ? RepairError.notPossible : error
      }
      adopt(salvaged)
    }
    do {
      let (vaultKey, slot) = try await authenticate(password)
      return (vaultKey, slot.id)
    } catch  where Self.isDamage(error) {
      // SQLite may miss rows that can be salvaged.
      guard (try? salvage()) != nil else { throw RepairError.notPossible }
    }
    do {
      let (vaultKey, slot) = try await authenticate(password)
      return (vaultKey, slot.id)
    } catch  where Self.isDamage(error) {
      throw RepairError.notPossible
    }
  }

  private static func isDamage(_ error: any Error) -> Bool { VaultError(error) == .damaged(nil) }
}
