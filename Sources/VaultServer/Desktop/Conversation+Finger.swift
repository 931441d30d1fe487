import JSON
import VaultModel
import VaultProtocol
import VaultSession

/// Waiting for a finger (R9, B).
extension Conversation {
  /// After so many scans that fitted no finger only a password helps.
  static let fingerprintAttempts = 3
  /// How long a finger is waited for, in seconds.
  static let fingerprintTimeout = 30

  /// Waits for an enrolled finger, and then does what the person may have to answer a prompt for.
  ///
  /// - Parameter body: is given what tells the enrolled prints from others.
  /// - Throws: ``BiometricError``.
  func afterFingerprint<Value>(_ body: (_ prints: String) async throws -> Value) async throws -> Value {
    guard !isInBackground else { throw BiometricError.notInteractive }
    guard fingerprintFailures < Self.fingerprintAttempts else { throw BiometricError.biometryLockout }
    do {
      return try await waiting {
        let watched = try await askDesktop(DesktopWatch(lock: true, sleep: true))
        guard !watched.isSessionLocked else { throw BiometricError.notInteractive }
        let attempts = Self.fingerprintAttempts - fingerprintFailures
        let scan = try await askDesktop(
          FingerprintVerify(attempts: attempts, timeoutSeconds: Self.fingerprintTimeout))
        guard scan.isMatched else {
          session.record(.fingerprintFailed, means: "fingerprint")
          throw BiometricError.authenticationFailed
        }
        fingerprintFailures = 0
        return try await body(scan.enrollment)
      }
    } catch let error where error is CancellationError || interruption != nil {
      switch interruption {
      case nil: throw BiometricError.userCancel
      case .password: throw BiometricError.userFallback
      case .lock: throw BiometricError.appCancel
      case .ending: throw BiometricError.systemCancel
      }
    }
  }

  /// Counts scans that fitted no finger, and tells the client how it goes.
  func heed(finger parameters: JSON?) {
    let notification: BiometricDidChangeState
    switch parameters?["state"]?.string {
    case "scanning": notification = state(.scanning)
    case "matched": notification = state(.succeeded)
    case "notMatched":
      fingerprintFailures += 1
      notification = state(fingerprintFailures < Self.fingerprintAttempts ? .tryAgain : .failed, .notMatched)
    case "retry":
      let reason = parameters?["reason"]?.string.flatMap(BiometricDidChangeState.Reason.init)
      notification = state(.tryAgain, reason ?? .tryAgain)
    default: return
    }
    Task { await tell(notification) }
  }

  private func state(
    _ state: BiometricDidChangeState.State, _ reason: BiometricDidChangeState.Reason? = nil
  ) -> BiometricDidChangeState {
    BiometricDidChangeState(
      state, reason: reason, attemptsLeft: Self.fingerprintAttempts - fingerprintFailures,
      message: reason?.words ?? state.words, language: language)
  }
}

extension KeychainItem {
  /// The secret of the device at hand.
  init(of session: VaultSession) throws {
    self.init(
      vault: try session.vaultIdentifier().description, device: try session.thisDevice().description)
  }
}
