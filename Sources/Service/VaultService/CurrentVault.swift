import Vault
import VaultInterface

/// The vault in use: the configured one, or a demo vault in its place.
final class CurrentVault {
  private(set) var session: VaultSession
  /// The demo vault, if it is in use.
  private(set) var demo: DemoVault?
  private let configuration: Server.Configuration

  init(_ configuration: Server.Configuration, demo: DemoVault?, attempts: UnstoredAttempts?) {
    self.configuration = configuration
    self.demo = demo
    session = Self.session(
      at: demo?.path ?? configuration.vault, configuration, isDemo: demo != nil, attempts: attempts)
  }

  private static func session(
    at path: String, _ configuration: Server.Configuration, isDemo: Bool = false,
    attempts: UnstoredAttempts? = nil
  ) -> VaultSession {
    VaultSession(
      path: path, clock: configuration.clock, device: configuration.device,
      states: isDemo ? nil : configuration.stateDirectory.map { StateDirectory($0) },
      attempts: attempts)
  }

  /// Switches to a new demo vault until the program ends or the demo vault is deleted.
  ///
  /// - Parameters:
  ///   - password: nil for the known one.
  ///   - watermarksAttachment: whether the sample attachment gets a watermark.
  /// - Throws: ``VaultError/exists`` if a vault is unlocked or a demo vault is in use, and as creating a vault does.
  func beginDemo(password: String?, keyDerivation: KeyDerivationRequest?, watermarksAttachment: Bool)
    async throws
  {
    guard session.isLocked, demo == nil else { throw VaultError.exists }
    let place = try DemoVault.makeDemoDirectory(
      in: configuration.demoDirectories, hasKnownPassword: password == nil)
    let configured = session
    session.close()
    session = Self.session(at: place.path, configuration, isDemo: true)
    demo = place
    do {
      try await session.createDemo(
        password: password, keyDerivation: keyDerivation, watermarksAttachment: watermarksAttachment)
    } catch {
      session.close()
      place.remove()
      (session, demo) = (configured, nil)
      throw error
    }
  }

  /// Closes and removes the demo vault.
  func endDemo() {
    guard let demo else { return }
    session.close()
    demo.remove()
    self.demo = nil
  }

  /// Returns to the configured vault if the demo vault was deleted.
  func leaveDeletedDemo() {
    guard demo != nil, (try? session.status())?.exists == false else { return }
    endDemo()
    session = Self.session(at: configuration.vault, configuration)
  }

  /// Switches to a path where no vault can be, so that a failed demo does not open the configured vault.
  func closeVault() {
    session = Self.session(at: "/dev/null/demo.quickvault", configuration)
  }
}

extension DemoDescription {
  /// Describes the vault in use to a client; nil unless it is a demo vault.
  init?(_ vault: CurrentVault) {
    guard let demo = vault.demo else { return nil }
    self.init(password: demo.password)
  }
}
