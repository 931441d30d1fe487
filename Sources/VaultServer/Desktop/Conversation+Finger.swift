import JSONRPC
import VaultModel
import VaultProtocol
import VaultSession

/// Waiting for a finger (R9, B).
extension Conversation {
  /// After so many scans that fitted no finger only a password helps.
  static let fingerAttempts = 3
  /// How long a finger is waited for, in seconds.
  static let fingerPatience = 30

  /// Waits for an enrolled finger, and then does what the person may have to answer a prompt for.
  ///
  /// - Parameter body: is given what tells the enrolled prints from others.
  /// - Throws: ``BiometricError``.
  func afterFinger<Value>(_ body: (_ prints: String) async throws -> Value) async throws -> Value {
    guard !isInBackground else { throw BiometricError.notInteractive }
    guard fingerFailures < Self.fingerAttempts else { throw BiometricError.biometryLockout }
    do {
      return try await waiting {
        let watched = try await askDesktop(DesktopWatch(lock: true, sleep: true))
        guard !watched.isSessionLocked else { throw BiometricError.notInteractive }
        let attempts = Self.fingerAttempts - fingerFailures
        let scan = try await askDesktop(
          FingerprintVerify(attempts: attempts, timeoutSeconds: Self.fingerPatience))
        guard scan.isMatched else {
          session.record(.fingerprintFailed, means: "fingerprint")
          throw BiometricError.authenticationFailed
        }
        fingerFailures = 0
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
    let notice: BiometricDidChangeState
    switch parameters?["state"]?.string {
    case "scanning": notice = state(.scanning)
    case "matched": notice = state(.succeeded)
    case "notMatched":
      fingerFailures += 1
      notice = state(fingerFailures < Self.fingerAttempts ? .tryAgain : .failed, .notMatched)
    case "retry":
      let reason = parameters?["reason"]?.string.flatMap(BiometricDidChangeState.Reason.init)
      notice = state(.tryAgain, reason ?? .tryAgain)
    default: return
    }
    Task { await tell(notice) }
  }

  private func state(
    _ state: BiometricDidChangeState.State, _ reason: BiometricDidChangeState.Reason? = nil
  ) -> BiometricDidChangeState {
    BiometricDidChangeState(
      state, reason: reason, attemptsLeft: Self.fingerAttempts - fingerFailures,
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
