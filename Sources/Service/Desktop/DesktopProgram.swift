import HelperProtocols
import Vault
import Wire

/// A running `quickvault-desktop`, which speaks D-Bus for this process. It is killed when this object is released.
///
/// It is used on the loop's thread.
final class DesktopProgram: Sendable {
  static let program = "quickvault-desktop"

  let peer: Peer
  private let process: WorkerProcess

  /// A weak reference from the peer to the process, whose callbacks hold the peer.
  private final class ProcessReference: @unchecked Sendable {
    weak var process: WorkerProcess?
  }

  /// The variables that it gets: the addresses of the buses, and the session.
  static let environment: Set = [
    "DBUS_SYSTEM_BUS_ADDRESS", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "XDG_SESSION_ID",
  ]
  private static let readingLimit = 16 << 10

  /// Starts it.
  ///
  /// - Parameters:
  ///   - onNotification: receives its notifications.
  ///   - ended: is called when it ends by itself.
  init(
    _ workers: WorkerProcesses, on loop: EventLoop,
    onNotification: @escaping @Sendable (IncomingNotification) -> Void,
    ended: @escaping @Sendable () -> Void
  ) throws(WorkerError) {
    let reference = ProcessReference()
    let peer = Peer(
      on: loop, write: { Self.write($0, to: reference.process) }, onNotification: onNotification)
    self.peer = peer
    process = try workers.start(
      Self.program,
      environment: WorkerProcesses.environment(Self.environment, prefixes: []),
      .init(
        readable: { Self.read(from: reference.process, into: peer) },
        ended: { _ in
          peer.assumeIsolated { $0.end() }
          ended()
        }))
    reference.process = process
  }

  private static func write(_ bytes: [UInt8], to process: WorkerProcess?) {
    guard let process, let copy = PrivateBytes(capacity: bytes.count) else { return }
    copy.append(unsafe bytes.span.bytes)
    process.write(copy)
  }

  private static func read(from process: WorkerProcess?, into peer: Peer) {
    guard let process, let bytes = PrivateBytes(capacity: readingLimit) else { return }
    guard process.read(into: bytes) > 0 else { return }
    let copy = bytes.withSpan { span in unsafe span.withUnsafeBytes { unsafe [UInt8]($0) } }
    peer.assumeIsolated { _ = $0.receive(copy) }
  }
}

extension BiometricError {
  /// Interprets an error of `quickvault-desktop`: a ``BiometricError``, or a `CancellationError`.
  static func from(_ error: ResponseError) -> any Error {
    switch DesktopError(error) {
    case .cancelled: CancellationError()
    case .systemBusMissing: BiometricError.biometryNotAvailable(.busMissing)
    case .fingerprintServiceMissing: BiometricError.biometryNotAvailable(.serviceMissing)
    case .noReader, .readerDisconnected: BiometricError.biometryNotAvailable(.noReader)
    case .permissionDenied: BiometricError.biometryNotAvailable(.permissionDenied)
    case .notEnrolled: BiometricError.biometryNotEnrolled
    case .readerBusy: BiometricError.biometryNotAvailable(.readerBusy)
    case .fingerprintTimedOut: BiometricError.timedOut
    case .fingerprintServiceStopped, .sleeping: BiometricError.systemCancel
    case .sessionBusMissing: BiometricError.biometryNotAvailable(.sessionBusMissing)
    case .keychainServiceMissing: BiometricError.biometryNotAvailable(.keychainMissing)
    case .noCollection: BiometricError.biometryNotAvailable(.noCollection)
    case .promptDismissed, .keychainLocked, .promptTimedOut: BiometricError.keychainLocked
    case .secretAbsent, .secretMalformed: BiometricError.invalidContext
    case .keychainFailed: BiometricError.biometryNotAvailable(.keychainFailed)
    case .fingerprintFailed, nil: BiometricError.biometryNotAvailable(.failed)
    }
  }
}

extension DesktopStatus.Response {
  /// The status if `quickvault-desktop` is not installed.
  static let withoutProgram = {
    let part = DesktopStatus.Part(Availability(.programMissing, package: "quickvault"))
    return DesktopStatus.Response(fingerprint: part, keychain: part, session: part)
  }()

  /// Whether a fingerprint can unlock a vault here; a locked keychain is unlocked when it is needed.
  var canOpenVaults: Bool { obstacle == nil }

  /// Why no fingerprint can unlock a vault here; nil if one can.
  var obstacle: BiometricError? {
    guard fingerprint.state == .ready else { return fingerprint.fingerprintObstacle }
    guard [.ready, .locked].contains(keychain.state) else { return keychain.keychainObstacle }
    return nil
  }
}

extension DesktopStatus.Part {
  /// The reader's state as an error.
  var fingerprintObstacle: BiometricError {
    switch state {
    case .notEnrolled: .biometryNotEnrolled
    case .programMissing: .biometryNotAvailable(.programMissing)
    case .busMissing: .biometryNotAvailable(.busMissing)
    case .serviceMissing: .biometryNotAvailable(.serviceMissing)
    case .noReader: .biometryNotAvailable(.noReader)
    case .permissionDenied: .biometryNotAvailable(.permissionDenied)
    default: .biometryNotAvailable(.failed)
    }
  }

  /// The keychain's state as an error.
  var keychainObstacle: BiometricError {
    switch state {
    case .locked: .keychainLocked
    case .programMissing: .biometryNotAvailable(.programMissing)
    case .busMissing: .biometryNotAvailable(.sessionBusMissing)
    case .serviceMissing: .biometryNotAvailable(.keychainMissing)
    case .noCollection: .biometryNotAvailable(.noCollection)
    default: .biometryNotAvailable(.keychainFailed)
    }
  }
}
