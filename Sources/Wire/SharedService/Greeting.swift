/// The first line on a connection: the vault, the client's locale, what a pinentry needs to ask its user, its proxies, and the
/// ticket that admits it.
package struct Greeting: Hashable, Sendable {
  /// The version of the greeting.
  package static let version = 1
  /// The maximum length of the line, with its end: 16 KiB.
  package static let limit = 16 << 10
  /// What a program that asks for a password needs to know, and ``proxies``. `tty` is the name of the client's terminal.
  package static let variables: Set<String> = proxies.union([
    "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "TERM", "tty",
  ])
  /// The variables that name the proxies for encrypted connections.
  package static let proxies: Set<String> = [
    "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY",
  ]
  /// The maximum length of a path or a variable, in bytes.
  private static let valueLimit = 4_096
  private static let proxyLimit = 1_024
  private static let localeLimit = 128

  /// The real path of the vault.
  package let vault: String
  /// The client's locale, such as `zh_CN.UTF-8`.
  package let locale: String
  /// The values of ``variables`` that the client has.
  package let environment: [String: String]
  /// Whether the service ends the connection with ``failure`` after an `exit` without `shutdown`.
  package var endsWithStatus = false
  /// The ticket that another program got from `client/ticket` for this one.
  package let ticket: String?
  /// The byte that stands for exit status 1. No message contains it.
  package static let failure: UInt8 = 0

  /// Values that are too long or contain control characters are left out.
  package init(vault: String, locale: String, environment: [String: String] = [:], ticket: String? = nil) {
    self.ticket = ticket.flatMap { Self.isValid($0, upTo: AdmissionTicket.limit) ? $0 : nil }
    self.vault = vault
    self.locale = Self.isValid(locale, upTo: Self.localeLimit) ? locale : "C"
    self.environment = environment.filter {
      let limit = Self.proxies.contains($0.key) ? Self.proxyLimit : Self.valueLimit
      return Self.variables.contains($0.key) && Self.isValid($0.value, upTo: limit)
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
    // A malformed ticket is like one that nobody gave.
    self.init(vault: vault, locale: locale, environment: environment, ticket: object["ticket"]?.string)
    endsWithStatus = object["endsWithStatus"] == true
  }

  /// The greeting as a line, with its end.
  package var line: [UInt8] {
    var members: [JSON.Member] = [
      .init("quickvault", .integer(Self.version)), .init("vault", .string(vault)),
      .init("locale", .string(locale)), .init("environment", environment.json),
    ]
    if let ticket { members.append(.init("ticket", .string(ticket))) }
    if endsWithStatus { members.append(.init("endsWithStatus", true)) }
    return JSON.object(members).utf8 + [0x0A]
  }

  private static func isValid(_ value: String, upTo limit: Int) -> Bool {
    value.utf8.count <= limit && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }
}
