import Foundation

/// `protocol/check.py`: a real JSON Schema validator with the protocol's document.
public enum CheckScript {
  /// Debian's Python, to which Debian's Python packages belong.
  public static let python = "/usr/bin/python3"

  /// Checks a recorded conversation against the document.
  ///
  /// - Returns: every violation, one a line; empty if there is none.
  public static func violations(of conversation: [String]) throws -> String {
    let input = conversation.map { $0 + "\n" }.joined()
    return try violations(["conversation"], input: input)
  }

  /// Checks the document itself.
  ///
  /// - Returns: every problem, one a line; empty if there is none.
  public static func problemsOfDocument() throws -> String {
    try violations(["document"], input: "")
  }

  private static func violations(_ arguments: [String], input: String) throws -> String {
    let script = Repository.protocolDirectory.appending(path: "check.py").path
    let (output, error, status) = try run(python, [script] + arguments, input: input)
    guard status == 0 || status == 1 else { throw Failure("check.py ends with \(status): \(error)") }
    return status == 0 ? "" : output + error
  }
}
