import Vault

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
