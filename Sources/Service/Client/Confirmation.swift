import Vault
import VaultInterface

/// When a client's user last gave the password or a fingerprint: what weakens the vault needs one of the last minute (R9).
///
/// It belongs to the client that the user gave it in, and to those that were admitted with it, such as the programs of a
/// terminal: on a shared vault, any other client has to ask again.
final class Confirmation {
  /// How long one counts, in milliseconds, the time that the machine slept included.
  private static let duration: Int64 = 60_000

  private let clock: any Clock
  private var time: Int64?

  init(clock: any Clock) {
    self.clock = clock
  }

  /// Notes that the password or a fingerprint was right.
  func recordAuthentication() {
    time = clock.boot
  }

  /// Notes when the password or a fingerprint admitted the client.
  func takeOver(_ admission: AdmissionList.Admission) {
    guard admission.means == .password || admission.means == .fingerprint else { return }
    time = max(time ?? admission.time, admission.time)
  }

  /// - Throws: ``VaultError/authorizationRequired`` if neither was given in the last minute.
  func require() throws(VaultError) {
    guard let time, (0..<Self.duration).contains(clock.boot - time) else { throw .authorizationRequired }
  }
}

/// Whether the client is to ask its user about binding this device (R22): once, after an unlock with the password.
final class BindingOffer {
  private(set) var isOffered = false
  private var isDue = false

  /// Makes the offer due.
  func didUnlockWithPassword() {
    isDue = true
  }

  /// Makes the offer if it is due and possible. The desktop's status may arrive only after the response to the unlock.
  func offerIfDue(for vault: CurrentVault, _ desktop: DesktopLink) async {
    guard isDue, vault.demo == nil, !vault.session.isLocked, await desktop.canOpenVaults
    else { return }
    isDue = false
    isOffered = vault.session.shouldOfferBinding()
  }

  func withdraw() {
    isOffered = false
  }
}

/// Sends the progress of long work to one client.
struct ProgressReporter: Sendable {
  let notifications: ClientNotifications
  let language: Language

  /// Does long work between the notifications of its beginning and its end.
  ///
  /// - Parameters:
  ///   - token: the token for the notifications; nil sends none.
  ///   - message: what the work is called.
  ///   - work: gets a function that reports the progress in percent; only higher values than before are sent.
  func during<Value>(
    _ token: ProgressToken?, _ message: Localized,
    _ work: (_ report: (Int) async -> Void) async throws -> Value
  ) async throws -> Value {
    guard let token else { return try await work { _ in } }
    notifications.send(Progress(token, .begin(message: message[language])))
    defer { notifications.send(Progress(token, .end)) }
    var reported = 0
    return try await work { percentage in
      guard percentage > reported else { return }
      reported = percentage
      await notifications.connection.send(Progress(token, .report(percentage: percentage)))
    }
  }
}
