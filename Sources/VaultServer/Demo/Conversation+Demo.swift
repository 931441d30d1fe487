import JSONRPC
import VaultModel
import VaultProtocol
import VaultSession

extension Conversation {
  /// Takes a new demo vault in place of the vault, until the program ends or the demo vault is deleted.
  ///
  /// - Throws: ``VaultError/exists`` where a vault is unlocked or a demo vault is there already, and as creating does.
  func beginDemo(password: String?, keyDerivation: KeyDerivationRequest?) async throws {
    guard session.isLocked, demo == nil else { throw VaultError.exists }
    let place = try DemoVault.makePlace(in: demoPlaces, hasKnownPassword: password == nil)
    let vault = session
    session.close()
    session = VaultSession(path: place.path, clock: clock, device: device)
    demo = place
    do {
      try await session.createDemo(
        password: password, keyDerivation: keyDerivation, marksAttachment: workers.has(ImagingRun.program))
    } catch {
      session.close()
      place.remove()
      (session, demo) = (vault, nil)
      throw error
    }
  }

  /// What a client is told of the demo; nil where the vault is none.
  var demoAnswer: DemoAnswer? {
    demo.map { DemoAnswer(password: $0.password) }
  }

  /// Closes the demo vault and removes it.
  func endDemo() {
    guard let demo else { return }
    session.close()
    demo.remove()
    self.demo = nil
  }

  /// Makes the demo vault that the conversation begins with. Where that fails, its place stays empty: no other vault is
  /// taken in its stead.
  func beginWithDemo() async {
    do {
      try await beginDemo(password: nil, keyDerivation: nil)
      didUnlock()
      noteActivity()
    } catch {
      log?("no demo vault: \(VaultError(error).kind)")
      session = VaultSession(path: "/dev/null/demo.quickvault", clock: clock, device: device)
    }
  }

  /// Goes back to the vault that there is besides the demo where the demo vault was deleted.
  func leaveDeletedDemo(for vault: String) {
    guard demo != nil, (try? session.status())?.exists == false else { return }
    endDemo()
    session = VaultSession(path: vault, clock: clock, device: device)
  }
}
