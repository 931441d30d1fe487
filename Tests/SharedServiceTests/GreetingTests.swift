import Glibc
import Testing

@testable import Wire

/// The greeting and its answer, both ways.
@Suite struct GreetingTests {
  private static let greeting = Greeting(
    vault: "/home/lin/保险库.quickvault", locale: "zh_CN.UTF-8",
    environment: ["DISPLAY": ":0", "tty": "/dev/pts/3", "PATH": "/evil", "TERM": "a\nb"])

  /// A greeting as a line without its end, with members changed or added.
  private static func line(_ changes: (String, JSON)...) -> [UInt8] {
    var members: [(String, JSON)] = [("quickvault", 1), ("vault", "/v"), ("locale", "C")]
    for change in changes {
      if let index = members.firstIndex(where: { $0.0 == change.0 }) {
        members[index] = change
      } else {
        members.append(change)
      }
    }
    return JSON.object(members.map { .init($0.0, $0.1) }).utf8
  }

  @Test("A greeting is read as it was written, with the variables that a pinentry needs and no others")
  func roundTrip() throws {
    let line = Self.greeting.line
    #expect(line.last == 0x0A && !line.dropLast().contains(0x0A))
    let read = try #require(Greeting(line: line.dropLast()))
    #expect(read == Self.greeting)
    #expect(read.environment == ["DISPLAY": ":0", "tty": "/dev/pts/3"])
    #expect(read.locale == "zh_CN.UTF-8")
    #expect(Greeting(vault: "/v", locale: "a\u{1B}b").locale == "C")
  }

  @Test("A ticket is passed on; one that is too long or not a text is none")
  func ticket() {
    let written = Greeting(vault: "/v", locale: "C", ticket: "9b3f").line
    #expect(Greeting(line: written.dropLast())?.ticket == "9b3f")
    for value: JSON in [1, "a\n", .string(String(repeating: "a", count: 129))] {
      #expect(Greeting(line: Self.line(("ticket", value))) == Greeting(vault: "/v", locale: "C"))
    }
  }

  @Test("The ticket is taken from the environment, and neither variable nor value stays there")
  func ticketInEnvironment() throws {
    unsafe setenv(AdmissionTicket.variable, "9b3f", 1)
    let value = try #require(unsafe getenv(AdmissionTicket.variable))
    #expect(AdmissionTicket.take() == "9b3f")
    #expect(unsafe value.pointee == 0)
    #expect(AdmissionTicket.take() == nil)
  }

  @Test("Members and variables of later versions are skipped")
  func later() throws {
    let line = Self.line(("color", "blue"), ("environment", ["NEW": 1, "TERM": "xterm"]))
    #expect(Greeting(line: line)?.environment == ["TERM": "xterm"])
    #expect(Greeting(line: Array(#"{"quickvault":1,"vault":"/v"}"#.utf8))?.locale == "C")
  }

  @Test(
    "What is no greeting is refused",
    arguments: [
      [], Array("{}".utf8), Array("GET / HTTP/1.1".utf8), Array(#"[1]"#.utf8), [0xFF, 0x00],
      line(("quickvault", 2)), line(("quickvault", "1")), line(("vault", "relative")), line(("vault", 1)),
      line(("vault", "/a\u{0}b")), line(("vault", "/a\nb")), line(("vault", .null)),
      line(("vault", .string("/" + String(repeating: "a", count: 4_096)))),
      line(("locale", .string(String(repeating: "a", count: 129)))), line(("locale", 1)),
      line(("environment", 1)), line(("environment", ["TERM": 1])), line(("environment", ["TERM": "a\u{7}"])),
      Array(#"{"quickvault":1,"vault":"/a","vault":"/b"}"#.utf8),
      Array(#"{"quickvault":1,"vault":"/a","environment":{"TERM":"a","TERM":"b"}}"#.utf8),
      line(("padding", .string(String(repeating: "a", count: Greeting.limit)))),
    ])
  func refused(_ line: [UInt8]) {
    #expect(Greeting(line: line) == nil)
  }

  @Test("Answers are read as they were written, and nothing else is an answer")
  func answers() {
    var answers = [GreetingResponse.accepted(version: "0.2.0", process: 4_711)]
    answers += GreetingResponse.Refusal.allCases.map { .refused($0, version: "0.2.0") }
    for answer in answers {
      #expect(answer.line.last == 0x0A && answer.line.count < GreetingResponse.limit)
      #expect(GreetingResponse(line: answer.line.dropLast()) == answer)
    }
    for text in [
      "", "{}", #"{"quickvault":1}"#, #"{"quickvault":2,"version":"9","process":1}"#,
      #"{"quickvault":1,"version":"9","process":0}"#, #"{"quickvault":1,"version":"9","error":"other"}"#,
      #"{"jsonrpc":"2.0"}"#,
    ] { #expect(GreetingResponse(line: Array(text.utf8)) == nil) }
  }
}
