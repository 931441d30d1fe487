import Foundation

/// A conversation as `protocol/transcripts/README.md` describes it.
public struct Transcript: Sendable {
  /// One step of it, with the number of its line.
  public struct Step: Sendable {
    /// The line of the file on which it begins.
    public let line: Int
    /// What is done.
    public let action: Action
  }

  /// What is done in a step.
  public enum Action: Sendable {
    /// `->` and `=>`: a client sends a message; as text, or as bytes that need not be JSON.
    case send(client: String, text: String, isJSON: Bool)
    /// `=>>`: a client sends bytes that are no frame.
    case write(client: String, text: String)
    /// `<-`: a client receives a message.
    case expect(client: String, text: String)
    /// `@clock`: both clocks go on by so many milliseconds.
    case advance(milliseconds: Int64)
    /// `@wall`: somebody sets the wall clock by so many milliseconds.
    case setWall(milliseconds: Int64)
    /// `@end`: a client ends its conversation, as its framing has it.
    case end(client: String)
    /// `@gone`: the program has ended by itself, with this status and this text on standard error.
    case gone(client: String, status: Int32, message: String)
  }

  /// The file's name.
  public let name: String
  /// The locale of the program's environment.
  public private(set) var locale = "C"
  /// The name of the vault's file.
  public private(set) var vault = "vault.quickvault"
  /// The initial bytes of the vault's file; nil for no file.
  public private(set) var content: [UInt8]?
  /// Files that lie beside the vault before, by what is added to the vault's path.
  public private(set) var files: [(suffix: String, content: [UInt8])] = []
  /// The only framing in which it can be held.
  public private(set) var onlyFraming: Framing?
  /// Whether it needs clocks that a test sets, which the built program does not have.
  public private(set) var needsClock = false
  /// The steps in order.
  public private(set) var steps: [Step] = []

  /// All transcripts of the protocol, by name.
  ///
  /// - Throws: ``Failure`` for one that cannot be read.
  public static func all() throws -> [Transcript] {
    let directory = Repository.protocolDirectory.appending(path: "transcripts")
    return try FileManager.default.contentsOfDirectory(atPath: directory.path)
      .filter { $0.hasSuffix(".txt") }.sorted()
      .map { try Transcript(name: $0, String(contentsOf: directory.appending(path: $0), encoding: .utf8)) }
  }

  /// Reads a transcript.
  ///
  /// - Throws: ``Failure`` that names the line.
  public init(name: String, _ text: String) throws {
    self.name = name
    for entry in Self.entries(text) {
      do {
        try read(entry.text, at: entry.line)
      } catch let failure as Failure {
        throw Failure("\(name):\(entry.line): \(failure.description)")
      }
    }
  }

  /// Lines that are not comments, each with the indented ones that go on with it.
  private static func entries(_ text: String) -> [(line: Int, text: String)] {
    var entries: [(line: Int, text: String)] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if line.hasPrefix(" "), let last = entries.indices.last {
        entries[last].text += "\n" + line
      } else if !line.isEmpty, !line.hasPrefix("#") {
        entries.append((index + 1, String(line)))
      }
    }
    return entries
  }

  private mutating func read(_ entry: String, at line: Int) throws {
    let (mark, rest) = Self.cut(entry)
    let (client, text) = Self.client(rest)
    switch mark {
    case "->":
      let json = compactJSON(text)
      steps.append(Step(line: line, action: .send(client: client, text: json, isJSON: true)))
    case "=>": steps.append(Step(line: line, action: .send(client: client, text: text, isJSON: false)))
    case "=>>": steps.append(Step(line: line, action: .write(client: client, text: text)))
    case "<-": steps.append(Step(line: line, action: .expect(client: client, text: compactJSON(text))))
    case "@end": steps.append(Step(line: line, action: .end(client: client)))
    case "@clock": steps.append(Step(line: line, action: .advance(milliseconds: try Self.span(rest))))
    case "@wall": steps.append(Step(line: line, action: .setWall(milliseconds: try Self.span(rest))))
    case "@gone":
      let (status, message) = Self.cut(text)
      guard let status = Int32(status) else { throw Failure("@gone needs an exit status") }
      steps.append(Step(line: line, action: .gone(client: client, status: status, message: message)))
    case "@locale": locale = rest
    case "@vault": vault = rest
    case "@content": content = try unescape(rest)
    case "@file":
      let (suffix, content) = Self.cut(rest)
      files.append((suffix, try unescape(content)))
    case "@framing":
      guard let framing = Framing(rawValue: Self.cut(rest).0) else { throw Failure("no such framing") }
      onlyFraming = framing
    case "@in-process":
      guard !rest.isEmpty else { throw Failure("@in-process needs a reason") }
      needsClock = true
    default: throw Failure("not a line of a transcript: \(entry)")
    }
  }

  /// The first word and what follows it.
  private static func cut(_ text: String) -> (String, String) {
    guard let space = text.firstIndex(where: \.isWhitespace) else { return (text, "") }
    return (String(text[..<space]), String(text[text.index(after: space)...]))
  }

  /// The client that a line names; `a` by default.
  private static func client(_ text: String) -> (String, String) {
    let mark = Array(text.prefix(3))
    guard mark.count == 3, mark[0] == "[", mark[1].isLetter, mark[1].isLowercase, mark[2] == "]" else {
      return ("a", text)
    }
    let rest = text.dropFirst(3)
    return (String(mark[1]), String(rest.first == " " ? rest.dropFirst() : rest))
  }

  private static func span(_ text: String) throws -> Int64 {
    let units: [Character: Int64] = ["s": 1_000, "m": 60_000, "h": 3_600_000]
    guard let unit = text.last.flatMap({ units[$0] }), let number = Int64(text.dropLast()) else {
      throw Failure("not a span of time such as +30s: \(text)")
    }
    return number * unit
  }
}

/// JSON without the white space between its tokens.
func compactJSON(_ text: String) -> String {
  var compact = String.UnicodeScalarView()
  var isInString = false
  var isEscaped = false
  for scalar in text.unicodeScalars {
    if isInString {
      isInString = scalar != "\"" || isEscaped
      isEscaped = scalar == "\\" && !isEscaped
    } else if scalar == "\"" {
      isInString = true
    } else if scalar.properties.isWhitespace {
      continue
    }
    compact.append(scalar)
  }
  return String(compact)
}

/// Returns the bytes of a text with the escapes `\xHH`, `\n`, `\r`, `\t` and `\\`.
func unescape(_ text: String) throws -> [UInt8] {
  var bytes: [UInt8] = []
  var rest = Array(text.utf8)[...]
  while let byte = rest.popFirst() {
    guard byte == UInt8(ascii: "\\") else {
      bytes.append(byte)
      continue
    }
    switch rest.popFirst() {
    case UInt8(ascii: "n"): bytes.append(0x0A)
    case UInt8(ascii: "r"): bytes.append(0x0D)
    case UInt8(ascii: "t"): bytes.append(0x09)
    case UInt8(ascii: "\\"): bytes.append(0x5C)
    case UInt8(ascii: "x"):
      guard let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
        throw Failure("\\x needs two hexadecimal digits")
      }
      bytes.append(value)
      rest = rest.dropFirst(2)
    default: throw Failure("an escape that is not known")
    }
  }
  return bytes
}
