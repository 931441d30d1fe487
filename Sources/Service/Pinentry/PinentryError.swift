/// Why a pinentry gave no password.
enum PinentryError: NamedError, Hashable {
  static let area = "pinentry"

  /// The user cancelled it, or the request was interrupted.
  case cancelled
  case timedOut
  /// No program is installed.
  case notInstalled
  /// The client has neither a display nor a terminal that is free.
  case noTerminal
  /// The program could not ask, or ended.
  case failed
}
