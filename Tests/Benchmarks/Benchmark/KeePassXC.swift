import TestSamples

/// A `keepassxc-cli open` session with the same cards.
///
/// The database is imported from XML with a card's fields as lines of the entry's notes, and has the default key derivation of
/// `keepassxc-cli import`.
final class KeePassXC {
  static let program = "keepassxc-cli"
  private static let password = "correct horse battery staple"

  let directory: String
  private var environment: [String: String] { ["HOME": directory, "LC_ALL": "C.UTF-8"] }

  init(directory: String) {
    self.directory = directory
  }

  /// The version; nil if it is not installed.
  static var version: String? {
    try? output(of: program, ["--version"]).map { "KeePassXC " + $0 }
  }

  /// Measures the works that both programs can do.
  func measure(cards count: Int, into results: inout Results) throws {
    let effort = Effort.slow
    let one = try database(of: 1)
    let all = try database(of: count)
    let opening = try effort.measure {
      let (begin, end) = (try self.open(one), try self.open(all))
      try begin.session.end()
      try end.session.end()
      return [end.nanoseconds - begin.nanoseconds]
    }
    results.add(.keePassXC, .unlock, count, opening[0])

    let session = try open(all).session
    try measureMemory(session, count, &results)
    try measureReading(session, count, effort, &results)
    var number = 0
    let adding = try effort.measure {
      number += 1
      return [try session.time("add -u somebody \"benchmark \(number)\"")]
    }
    results.add(.keePassXC, .create, count, adding[0])
    try session.end()
    results.notes.append(
      "KeePassXC, \(grouped(count)) cards: \"unlock\" is the time to open the database, "
        + "less that for a database with one entry"
    )
  }

  /// Measures printing the notes of an entry, from the start of the program to its end: with the key derivation, since each run
  /// has to unlock the database.
  func measureShow(cards count: Int, into results: inout Results) throws {
    let database = try database(of: count)
    let title = SampleCard(number: count / 2).title
    let shown = try Effort.slow.measure {
      let start = now()
      let peer = try Peer(
        Self.program, ["show", "-q", "-a", "Notes", database, title], environment: environment,
        showsErrors: false)
      try peer.write(Array((Self.password + "\n").utf8))
      guard try peer.end() == 0 else { throw BenchmarkError.wrong("keepassxc-cli show failed") }
      return [now() - start]
    }
    results.add(.keePassXC, .showField, count, shown[0])
  }

  private func measureMemory(_ session: Session, _ count: Int, _ results: inout Results) throws {
    let opened = try Memory(of: session.process)
    _ = try session.time("search zqxjkv")
    let searched = try Memory(of: session.process)
    results.add(.keePassXC, .memoryUnlocked, count, Summary(once: opened.resident))
    results.add(.keePassXC, .memorySearched, count, Summary(once: searched.resident))
    results.add(.keePassXC, .memoryPeak, count, Summary(once: searched.peak))
  }

  private func measureReading(
    _ session: Session, _ count: Int, _ effort: Effort, _ results: inout Results
  ) throws {
    let searches = Searches(cards: count)
    let queries: [(Work, Searches.Query)] = [
      (.searchNothing, searches.nothing), (.searchOne, searches.one), (.searchMany, searches.many),
      (.searchChinese, searches.chinese),
    ]
    for (_, query) in queries {
      let hits = try session.lines("search \(query.text)").count
      guard hits == query.hits else {
        throw BenchmarkError.wrong("KeePassXC finds \(hits) of \(query.hits) for \(query.text)")
      }
    }
    let title = SampleCard(number: count / 2).title
    let summaries = try effort.measure {
      try queries.map { try session.time("search \($0.1.text)") } + [
        try session.time("show \"\(title)\"")
      ]
    }
    for (work, summary) in zip(queries.map(\.0) + [.get], summaries) {
      results.add(.keePassXC, work, count, summary)
    }
  }

  // MARK: Sessions

  /// Opens a database; the time runs from the start of the program to its first prompt.
  private func open(_ database: String) throws -> (session: Session, nanoseconds: Int64) {
    let start = now()
    let peer = try Peer(Self.program, ["open", database], environment: environment, showsErrors: false)
    let session = Session(peer)
    try peer.write(Array((Self.password + "\n").utf8))
    _ = try session.awaitPrompt()
    return (session, now() - start)
  }

  /// An interactive session, whose answers end with a prompt.
  final class Session {
    private static let prompt = Array("cards> ".utf8)
    private let peer: Peer
    private var buffer = [UInt8](repeating: 0, count: 64 << 10)

    var process: Int32 { peer.process }

    init(_ peer: Peer) {
      self.peer = peer
    }

    /// The nanoseconds from the command to the next prompt.
    func time(_ command: String) throws -> Int64 {
      let start = now()
      try peer.write(Array((command + "\n").utf8))
      _ = try awaitPrompt()
      return now() - start
    }

    /// Runs a command and returns its output without echo and prompt.
    func lines(_ command: String) throws -> [String] {
      try peer.write(Array((command + "\n").utf8))
      let text = String(decoding: try awaitPrompt(), as: UTF8.self)
      return text.split(separator: "\n").map(String.init).dropFirst().dropLast()
    }

    func end() throws {
      try peer.end()
    }

    fileprivate func awaitPrompt() throws -> [UInt8] {
      var answer: [UInt8] = []
      while !answer.suffix(Self.prompt.count).elementsEqual(Self.prompt) {
        let count = try unsafe buffer.withUnsafeMutableBytes { try unsafe peer.read(into: $0) }
        guard count > 0 else { throw BenchmarkError.ended(program: peer.program) }
        answer += buffer[..<count]
      }
      return answer
    }
  }

  // MARK: Databases

  /// Makes a database with the sample cards 0..<count.
  private func database(of count: Int) throws -> String {
    let path = "\(directory)/keepassxc-\(count)"
    for suffix in [".xml", ".kdbx"] where Files.exists(path + suffix) {
      try Files.remove(path + suffix)
    }
    try Files.write(Self.xml(of: count), to: path + ".xml")
    let peer = try Peer(
      Self.program, ["import", "-q", "-p", path + ".xml", path + ".kdbx"], environment: environment,
      showsErrors: false)
    try peer.write(Array("\(Self.password)\n\(Self.password)\n".utf8))
    guard try peer.end() == 0 else { throw BenchmarkError.wrong("keepassxc-cli import failed") }
    try Files.remove(path + ".xml")
    return path + ".kdbx"
  }

  private static func xml(of count: Int) -> String {
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <KeePassFile><Meta><Generator>quickvault-benchmark</Generator><DatabaseName>cards</DatabaseName></Meta><Root>
      <Group><UUID>\(identifier(0))</UUID><Name>Cards</Name>

      """
    for number in 0..<count {
      let card = SampleCard(number: number)
      let notes = card.fields.map { "\($0.key): \($0.value)" }.joined(separator: "\n")
      text += """
        <Entry><UUID>\(identifier(number + 1))</UUID><Tags>\(card.tags.joined(separator: ";"))</Tags>\
        <String><Key>Title</Key><Value>\(card.title)</Value></String>\
        <String><Key>Notes</Key><Value>\(notes)</Value></String></Entry>

        """
    }
    return text + "</Group></Root></KeePassFile>\n"
  }

  /// A UUID of 16 bytes in base64 (RFC 4648, section 4): 21 digits of which each is a digit of base64, and an A whose last
  /// bits are zero.
  private static func identifier(_ number: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: 21 - digits.count) + digits + "A=="
  }
}

/// The first line of output of a program; nil if it fails or does not exist.
func output(
  of program: String, _ arguments: [String], environment: [String: String] = [:]
) throws -> String? {
  try text(of: program, arguments, environment: environment)?.split(separator: "\n").first.map(String.init)
}

/// The output of a program; nil if it fails.
func text(
  of program: String, _ arguments: [String], environment: [String: String] = [:]
) throws -> String? {
  let peer = try Peer(program, arguments, environment: environment, showsErrors: false)
  var text: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 4_096)
  while true {
    let count = try unsafe buffer.withUnsafeMutableBytes { try unsafe peer.read(into: $0) }
    guard count > 0 else { break }
    text += buffer[..<count]
  }
  guard try peer.end() == 0 else { return nil }
  return String(decoding: text, as: UTF8.self)
}
