import Glibc
import VaultInterface
import Wire

/// The variables of the environment.
enum Environment {
  static subscript(name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }

  /// The value of a variable; nil if it is empty, too.
  static func nonEmptyValue(_ name: String) -> String? {
    guard let value = self[name], !value.isEmpty else { return nil }
    return value
  }

  /// The ticket with which the program that started this one has it admitted, such as an editor; nil without one. The first use
  /// removes it from the environment.
  static let ticket = AdmissionTicket.take()

  /// The locale of messages.
  static var locale: String {
    nonEmptyValue("LC_ALL") ?? nonEmptyValue("LC_MESSAGES") ?? nonEmptyValue("LANG") ?? "C"
  }

  static var language: Language { Language(locale: locale) }

  /// The working directory; `.` if it does not exist any more.
  static var workingDirectory: String {
    guard let path = unsafe getcwd(nil, 0) else { return "." }
    defer { unsafe free(path) }
    return unsafe String(cString: path)
  }

  /// A file name as an absolute path, because the server has another working directory.
  static func absolutePath(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    let directory = workingDirectory
    return (directory == "/" ? "/" : directory + "/")
      + (path.hasPrefix("./") ? String(path.dropFirst(2)) : path)
  }
}
