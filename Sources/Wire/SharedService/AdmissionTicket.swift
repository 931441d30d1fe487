import Glibc

/// The variable in which an admitted program gives a ticket of `client/ticket` to a program that it starts.
package enum AdmissionTicket {
  package static let variable = "QUICKVAULT_TICKET"
  /// The maximum length of a ticket, in bytes.
  static let limit = 128

  /// Takes the ticket from the environment, and overwrites it there: neither the programs that this process starts nor
  /// `/proc/PID/environ` have it afterwards.
  ///
  /// - Returns: nil if there is none.
  package static func take() -> String? {
    guard let value = unsafe getenv(variable) else { return nil }
    let ticket = unsafe String(cString: value)
    unsafe explicit_bzero(value, strlen(value))
    unsafe unsetenv(variable)
    return ticket.isEmpty ? nil : ticket
  }
}
