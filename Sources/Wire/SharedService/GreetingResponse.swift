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
