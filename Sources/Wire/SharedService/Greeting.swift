import CLinux
import Glibc

/// The first line on a connection: the vault, the client's locale, what a pinentry needs to ask its user, its proxies, and the
/// ticket that admits it.
package struct Greeting: Hashable, Sendable {
  /// The version of the greeting.
  package static let version = 1
  /// The maximum length of the line, with its end: 16 KiB.
  package static let limit = 16 << 10
  /// What a program that asks for a password needs to know, and ``proxies``. `tty` is the name of the client's terminal.
  package static let variables: Set<String> = proxies.union(displays).union(["TERM", "tty"])
  /// The variables that lead to the client's display.
  package static let displays: Set<String> = [
    "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS",
  ]
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
  /// Whether the client speaks for an agent, which has started it: it is never admitted, and asks for each use of a card.
  package var isForAgent = false
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
    isForAgent = object["agent"] == true
  }

  /// The greeting as a line, with its end.
  package var line: [UInt8] {
    var members: [JSON.Member] = [
      .init("quickvault", .integer(Self.version)), .init("vault", .string(vault)),
      .init("locale", .string(locale)), .init("environment", environment.json),
    ]
    if let ticket { members.append(.init("ticket", .string(ticket))) }
    if endsWithStatus { members.append(.init("endsWithStatus", true)) }
    if isForAgent { members.append(.init("agent", true)) }
    return JSON.object(members).utf8 + [0x0A]
  }

  private static func isValid(_ value: String, upTo limit: Int) -> Bool {
    value.utf8.count <= limit && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }
}

extension Greeting {
  /// The greeting of this process.
  package init(vault: String, locale: String, ticket: String? = nil, environment: (String) -> String?) {
    var values: [String: String] = [:]
    for name in Self.variables where name != "tty" { values[name] = environment(name) }
    values["tty"] = Self.terminal
    self.init(vault: vault, locale: locale, environment: values, ticket: ticket)
  }

  /// The terminal on one of the standard descriptors, or else the controlling one.
  private static var terminal: String? {
    for descriptor in Int32(0)...2 {
      if let name = unsafe ttyname(descriptor) { return unsafe String(cString: name) }
    }
    return ProcessFacts(of: Int(getpid()))?.terminal?.name
  }
}

/// The service's answer to a ``Greeting``. After an acceptance, both directions carry the JSON-RPC conversation.
package enum GreetingResponse: Hashable, Sendable {
  /// - Parameters:
  ///   - version: the version of the service's program.
  ///   - process: the service's process id.
  case accepted(version: String, process: Int)
  case refused(Refusal, version: String)

  /// Why a client is refused. The connection is closed after it.
  package enum Refusal: String, CaseIterable, Sendable {
    /// The service serves another vault, whose path has the same hash.
    case otherVault
    /// There are as many connections as the service allows.
    case tooMany
    /// The line is too long, late, or no greeting of a version that the service knows.
    case malformed
    /// The client runs as another user.
    case otherUser
    /// The client's process is hidden from the service, as in another container.
    case unknownProcess
  }

  /// The maximum length of the line, with its end.
  package static let limit = 1_024

  /// Reads a line without its end; nil for anything but an answer.
  package init?(line: [UInt8]) {
    guard line.count < Self.limit, let object = try? JSONReader.read(line),
      object["quickvault"]?.integer == Greeting.version, let version = object["version"]?.string
    else { return nil }
    if let name = object["error"] {
      guard let refusal = name.string.flatMap(Refusal.init) else { return nil }
      self = .refused(refusal, version: version)
    } else {
      guard let process = object["process"]?.integer, process > 0 else { return nil }
      self = .accepted(version: version, process: process)
    }
  }

  /// The answer as a line, with its end.
  package var line: [UInt8] {
    var members: [JSON.Member] = [.init("quickvault", .integer(Greeting.version))]
    switch self {
    case .accepted(let version, let process):
      members += [.init("version", .string(version)), .init("process", .integer(process))]
    case .refused(let refusal, let version):
      members += [.init("error", .string(refusal.rawValue)), .init("version", .string(version))]
    }
    return JSON.object(members).utf8 + [0x0A]
  }
}

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

/// Reads a line from a socket, and not a byte beyond: what follows may hold a password, and is left to the conversation.
package struct LineReader {
  package enum Outcome: Hashable, Sendable {
    /// The line is not complete yet.
    case incomplete
    /// The line without its end.
    case line([UInt8])
    case tooLong
    /// The other end has closed the connection, or it failed.
    case closed
  }

  private let limit: Int
  private var bytes: [UInt8] = []

  /// - Parameter limit: the maximum length of the line with its end.
  package init(limit: Int) {
    self.limit = limit
  }

  /// Reads what is there without waiting.
  package mutating func read(from socket: Int32) -> Outcome {
    while true {
      let room = limit - bytes.count
      guard room > 0 else { return .tooLong }
      let count = unsafe withUnsafeTemporaryAllocation(byteCount: room, alignment: 1) { buffer -> Int in
        guard let base = buffer.baseAddress else { return 0 }
        let seen = unsafe linux_receive(socket, base, room, 1)
        guard seen > 0 else { return seen }
        defer { unsafe explicit_bzero(base, seen) }
        let end = unsafe buffer[..<seen].firstIndex(of: 0x0A)
        let taken = unsafe linux_receive(socket, base, end.map { $0 + 1 } ?? seen, 0)
        if taken > 0 { unsafe bytes += buffer[..<taken] }
        return taken
      }
      if bytes.last == 0x0A { return .line(bytes.dropLast()) }
      guard count <= 0 else { continue }
      return count < 0 && [EAGAIN, EINTR].contains(errno) ? .incomplete : .closed
    }
  }
}
