import VaultModel
import VaultProtocol
import VaultSession

extension Conversation {
  /// Makes sure that the person is there once more where the original of a marked attachment is asked for (R6): by the
  /// password, or by a finger where this device is bound. A password that is right lets fingers be tried again.
  ///
  /// - Throws: `VaultError.authorizationRequired` where nothing was given; what a wrong password comes to at unlock, which
  ///   counts as it does there (R11); `BiometricError`. The vault stays unlocked.
  func authorize(_ original: OriginalRequest, of attachment: Attachment) async throws {
    guard original.isWanted, attachment.watermark != nil else { return }
    switch original.means {
    case nil: throw VaultError.authorizationRequired
    case .password(let password):
      try await session.authorize(password: password)
      fingerprintFailures = 0
    case .biometric: try await authorizeWithFingerprint()
    }
  }
}
