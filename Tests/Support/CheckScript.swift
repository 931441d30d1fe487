import Foundation

/// `protocol/check.py`: a real JSON Schema validator with the protocol's document.
public enum CheckScript {
  /// Debian's Python, to which Debian's Python packages belong.
  public static let python = "/usr/bin/python3"

  private static let lock = NSLock()
  /// One process for all conversations: reading the document takes longer than checking most of them.
  nonisolated(unsafe) private static var checker: RunningProgram?

  /// Checks a recorded conversation against the document.
  ///
  /// - Returns: every violation, one a line; empty if there is none.
  public static func violations(of conversation: [String]) throws -> String {
    try lock.withLock {
      let checker = try self.checker ?? RunningProgram(python, [script, "conversations"])
      self.checker = checker
      try checker.channel.write(Array(conversation.map { $0 + "\n" }.joined().utf8 + [0x0A]))
      var found = ""
      while true {
        let line = try checker.channel.message()
        if line.isEmpty { return found }
        found += line + "\n"
      }
    }
  }

  /// Checks the document itself.
  ///
  /// - Returns: every problem, one a line; empty if there is none.
  public static func problemsOfDocument() throws -> String {
    let (output, error, status) = try run(python, [script, "document"])
    guard status == 0 || status == 1 else { throw Failure("check.py ends with \(status): \(error)") }
    return status == 0 ? "" : output + error
  }

  private static var script: String { Repository.protocolDirectory.appending(path: "check.py").path }
}
