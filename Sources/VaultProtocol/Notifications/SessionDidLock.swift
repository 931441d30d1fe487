public import JSON
public import JSONRPC

/// `session/didLock`: the vault was locked, and every buffer that shows its content is to be blanked (R12).
public struct SessionDidLock: OutgoingNotification {
  /// The notification's name.
  public static let method = "session/didLock"

  /// What locked it.
  public enum Reason: String, Sendable, CaseIterable {
    /// The client asked for it.
    case request
    /// There was no activity for the set time.
    case timeout
    /// The client went to the background.
    case background
    /// The desktop session was locked.
    case deviceLocked
    /// The machine is going to sleep.
    case sleep
    /// Another process changed the password, or took the vault's file away.
    case passwordChanged
    /// The server is ending.
    case shutdown
  }

  /// What locked it.
  public var reason: Reason

  /// A notification of the given reason.
  public init(reason: Reason) {
    self.reason = reason
  }

  /// The notification on the wire.
  public var json: JSON { ["reason": .string(reason.rawValue)] }
}
