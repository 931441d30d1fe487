import Foundation

/// The server of a replay: the built program, or one in the test's process.
public protocol ReplayTarget: AnyObject {
  var channel: Channel { get }
  /// Waits for its end, and returns its exit status and standard error.
  func waitForExit() throws -> (status: Int32, message: String)
}

/// The environment of a replay.
public struct Stage {
  /// How messages are separated.
  public var framing: Framing
  public var vault: String
  /// Starts a process, or a server, for a client.
  public var start: (Transcript, Stage) throws -> any ReplayTarget
  /// Advances both clocks or only the wall clock; nil if the clocks cannot be set.
  public var setClock: ((_ milliseconds: Int64, _ wallAlone: Bool) throws -> Void)?

  public init(
    framing: Framing, vault: String, start: @escaping (Transcript, Stage) throws -> any ReplayTarget,
    setClock: ((_ milliseconds: Int64, _ wallAlone: Bool) throws -> Void)? = nil
  ) {
    self.framing = framing
    self.vault = vault
    self.start = start
    self.setClock = setClock
  }
}

/// One run of a transcript against something that answers.
public final class Replay {
  private let transcript: Transcript
  private let stage: Stage
  private var bindings: Bindings
  private var clients: [String: Client] = [:]

  /// The conversation as `check.py` reads it, one exchange a line.
  public private(set) var conversation: [String] = []

  private struct Client {
    let target: any ReplayTarget
    /// Whether its input was closed.
    var hasEnded = false
    /// The bytes to send in one write.
    var outgoing: [UInt8] = []
    /// The requests without an answer, in their order; nil for one that cannot be read.
    var waiting: [String?] = []
  }

  /// Prepares a replay, which ``run()`` starts.
  public init(_ transcript: Transcript, on stage: Stage) throws {
    self.transcript = transcript
    self.stage = stage
    bindings = Bindings(path: stage.vault)
    if let content = transcript.content { try Data(content).write(to: URL(filePath: stage.vault)) }
    for file in transcript.files {
      try Data(file.content).write(to: URL(filePath: stage.vault + file.suffix))
    }
  }

  /// Plays every step.
  ///
  /// - Throws: ``Failure`` that names the line.
  public func run() throws {
    for step in transcript.steps {
      do {
        try perform(step.action)
      } catch let failure as Failure {
        throw Failure("\(transcript.name):\(step.line): \(failure.description)")
      }
    }
    do {
      for (name, client) in clients.sorted(by: { $0.key < $1.key }) where !client.hasEnded { try end(name) }
      for name in clients.keys.sorted() { try leave(name, status: 0, message: "") }
    } catch let failure as Failure {
      throw Failure("\(transcript.name), at the end: \(failure.description)")
    }
  }

  private func perform(_ action: Transcript.Action) throws {
    switch action {
    case .send(let name, let text, let isJSON):
      let text = try bindings.fill(text)
      let message = isJSON ? Array(text.utf8) : try unescape(text)
      try change(name) { client in
        client.outgoing += stage.framing.frame(message)
        if !isJSON { client.waiting.append(nil) }
        if isJSON, Self.asksForAnAnswer(text) { client.waiting.append(text) }
      }
    case .write(let name, let text):
      let bytes = try unescape(bindings.fill(text))
      try change(name) { $0.outgoing += bytes }
    case .expect(let name, let text):
      try flush()
      guard let client = clients[name] else { throw Failure("there is no client \(name)") }
      let message = try client.target.channel.message()
      note(message, of: name)
      try bindings.match(text, with: message)
    case .advance(let milliseconds): try setClock(milliseconds, wallAlone: false)
    case .setWall(let milliseconds): try setClock(milliseconds, wallAlone: true)
    case .end(let name):
      try end(name)
    case .gone(let name, let status, let message):
      try flush()
      try leave(name, status: status, message: message)
    }
  }

  private func setClock(_ milliseconds: Int64, wallAlone: Bool) throws {
    try flush()
    guard let setClock = stage.setClock else { throw Failure("the clock cannot be set here") }
    try setClock(milliseconds, wallAlone)
  }

  // MARK: Clients

  /// Changes a client, which begins where there is none of this name.
  private func change(_ name: String, _ body: (inout Client) throws -> Void) throws {
    if clients[name]?.hasEnded == true { try leave(name, status: 0, message: "") }
    var client = try clients[name] ?? begin()
    try body(&client)
    clients[name] = client
  }

  /// Begins a conversation; with headers by `initialize`, unless the transcript does that itself.
  private func begin() throws -> Client {
    let client = Client(target: try stage.start(transcript, stage))
    guard stage.framing == .headers, transcript.onlyFraming != .headers else { return client }
    let channel = client.target.channel
    try channel.send(#"{"jsonrpc":"2.0","id":"begin","method":"initialize","params":{"processId":null}}"#)
    try channel.send(#"{"jsonrpc":"2.0","method":"initialized","params":{}}"#)
    let answer = try channel.message()
    guard answer.hasPrefix(#"{"jsonrpc":"2.0","id":"begin","result":"#) else {
      throw Failure("initialize was answered with \(answer)")
    }
    return client
  }

  private func flush() throws {
    for name in clients.keys.sorted() {
      guard var client = clients[name], !client.outgoing.isEmpty else { continue }
      try client.target.channel.write(client.outgoing)
      client.outgoing = []
      clients[name] = client
    }
  }

  /// Says that nothing follows, as the framing has it. What comes then belongs to the transcript.
  private func end(_ name: String) throws {
    try flush()
    guard let client = clients[name] else { throw Failure("there is no client \(name)") }
    clients[name]?.hasEnded = true
    let channel = client.target.channel
    if stage.framing == .headers, transcript.onlyFraming != .headers {
      try channel.send(#"{"jsonrpc":"2.0","id":"end","method":"shutdown"}"#)
      try channel.send(#"{"jsonrpc":"2.0","method":"exit"}"#)
      let answer = try channel.message()
      guard answer == #"{"jsonrpc":"2.0","id":"end","result":null}"# else {
        throw Failure("nothing was to come before the end: \(answer)")
      }
    }
    channel.closeInput()
  }

  /// Requires that a client's conversation has ended, and every request was answered.
  private func leave(_ name: String, status: Int32, message: String) throws {
    guard let client = clients.removeValue(forKey: name) else { throw Failure("there is no client \(name)") }
    if let more = try client.target.channel.next() { throw Failure("nothing was to follow: \(more)") }
    let ending = try client.target.waitForExit()
    guard ending.status == status else {
      throw Failure("the exit status is \(ending.status), not \(status): \(ending.message)")
    }
    guard message.isEmpty ? ending.message.isEmpty : ending.message.contains(message) else {
      throw Failure("standard error says: \(ending.message)")
    }
    guard client.waiting.isEmpty else { throw Failure("without an answer: \(client.waiting)") }
  }

  // MARK: The conversation

  private func note(_ message: String, of name: String) {
    if message.hasPrefix(#"{"jsonrpc":"2.0","method":"#) {
      conversation.append(#"{"notification":\#(message)}"#)
    } else if var client = clients[name], !client.waiting.isEmpty {
      let request = client.waiting.removeFirst()
      clients[name] = client
      conversation.append("{" + (request.map { #""request":\#($0),"# } ?? "") + #""response":\#(message)}"#)
    } else {
      conversation.append(#"{"response":\#(message)}"#)
    }
  }

  private static func asksForAnAnswer(_ text: String) -> Bool {
    let value = try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
    switch value {
    case let message as [String: Any]:
      if message["method"] is String { return message["id"] != nil || message["jsonrpc"] as? String != "2.0" }
      return message["result"] == nil && message["error"] == nil
    case let batch as [Any]:
      return batch.isEmpty || batch.contains { ($0 as? [String: Any]).map { $0["id"] != nil } ?? true }
    default: return true
    }
  }
}
