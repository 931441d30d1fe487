import JSON

/// The first line on a connection: the vault, the client's locale, and what a pinentry needs to ask its user.
package struct Greeting: Hashable, Sendable {
  /// The version of the greeting.
  package static let version = 1
  /// The maximum length of the line, with its end: 16 KiB.
  package static let limit = 16 << 10
  /// What a program that asks for a password needs to know. `tty` is the name of the client's terminal.
  package static let variables: Set<String> = [
    "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "TERM", "tty",
  ]
  /// The maximum length of a path or a variable, in bytes.
  private static let valueLimit = 4_096
  private static let localeLimit = 128

  /// The real path of the vault.
  package let vault: String
  /// The client's locale, such as `zh_CN.UTF-8`.
  package let locale: String
  /// The values of ``variables`` that the client has.
  package let environment: [String: String]

  /// Values that are too long or contain control characters are left out.
  package init(vault: String, locale: String, environment: [String: String] = [:]) {
    self.vault = vault
    self.locale = Self.isValid(locale, upTo: Self.localeLimit) ? locale : "C"
    self.environment = environment.filter {
      Self.variables.contains($0.key) && Self.isValid($0.value, upTo: Self.valueLimit)
    }
  }

  /// Reads a line without its end; nil for anything but a greeting. Members and variables of later versions are skipped.
  package init?(line: [UInt8]) {
    guard line.count < Self.limit, let object = try? JSONReader.read(line),
      object["quickvault"]?.integer == Self.version, let vault = object["vault"]?.string,
      vault.hasPrefix("/"), Self.isValid(vault, upTo: Self.valueLimit),
      let locale = (object["locale"] ?? "C").string, Self.isValid(locale, upTo: Self.localeLimit),
      case .object(let members) = object, members.repeatedName == nil,
      case .object(let variables) = object["environment"] ?? .object([]), variables.repeatedName == nil
    else { return nil }
    var environment: [String: String] = [:]
    for variable in variables where Self.variables.contains(variable.name) {
      guard let value = variable.value.string, Self.isValid(value, upTo: Self.valueLimit) else { return nil }
      environment[variable.name] = value
    }
    self.init(vault: vault, locale: locale, environment: environment)
  }

  /// The greeting as a line, with its end.
  package var line: [UInt8] {
    let members: JSON = [
      "quickvault": .integer(Self.version), "vault": .string(vault), "locale": .string(locale),
      "environment": environment.json,
    ]
    return members.utf8 + [0x0A]
  }

  private static func isValid(_ value: String, upTo limit: Int) -> Bool {
    value.utf8.count <= limit && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }
}
