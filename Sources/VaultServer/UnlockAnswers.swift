import VaultModel
import VaultProtocol
import VaultSession

extension Conversation {
  /// What a client is told of the vault that it has opened.
  func unlockAnswer() throws -> UnlockAnswer {
    let summary = try session.summary()
    if !memoryIsLocked { session.recordOnce(.memoryNotLocked) }
    return UnlockAnswer(
      cardCount: summary.cardCount, autoLockSeconds: summary.settings.autoLockSeconds,
      offersBiometric: offersBiometric && summary.settings.biometricUnlock,
      integrity: Integrity(isIntact: summary.isIntact),
      demo: demoAnswer)
  }

  /// Refuses to open a vault again in the batch that locked it: the process that would know it is about to go.
  func refuseWhileHandingOff() throws(VaultError) {
    guard !isHandingOff else { throw .locked }
  }
}

extension KeyDerivationRequest {
  /// What the client chose.
  init(_ choice: KeyDerivationChoice) {
    self =
      switch choice.algorithm {
      case .pbkdf2: .pbkdf2(iterations: choice.iterations)
      case .argon2id: .argon2id(iterations: choice.iterations, memoryKiB: choice.memoryKiB)
      }
  }
}
