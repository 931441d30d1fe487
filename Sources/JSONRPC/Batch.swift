import JSON

/// An array of messages, answered by one array (JSON-RPC 2.0, section 6).
///
/// With headers the length comes first, so the answers are held until the last, as the bytes that are sent.
struct Batch {
  private var rest: ArraySlice<JSON>
  private var searched = 0
  /// The answers, with a comma before each but the first.
  private(set) var answers: [UInt8] = []
  /// The requests that are answered.
  private(set) var answered: [RequestIdentifier] = []
  private(set) var notifications: [any OutgoingNotification] = []

  init(_ values: [JSON]) {
    rest = values[...]
  }

  mutating func next() -> JSON? {
    rest.popFirst()
  }

  /// Whether every message was answered.
  var isDone: Bool { rest.isEmpty }

  /// Whether so much was answered that no further request is begun.
  var isFull: Bool { answers.count >= Connection.answerLimit }

  /// Starts a search with ``firstMessage(matching:)``.
  mutating func beginSearch() {
    searched = rest.startIndex
  }

  /// The first match among the waiting messages.
  mutating func firstMessage(matching filter: MessageFilter) -> Message? {
    searched = max(searched, rest.startIndex)
    while searched < rest.endIndex {
      if let message = filter.message(rest[searched]) { return message }
      searched += 1
    }
    return nil
  }

  /// Adds an answer.
  ///
  /// - Returns: whether it was added; one over ``Connection/answerLimit`` is not.
  mutating func add(_ answer: Message) -> Bool {
    let isAdded = answers.append(upTo: Connection.answerLimit) { bytes in
      if !bytes.isEmpty { bytes.append(UInt8(ascii: ",")) }
      answer.write(to: &bytes)
    }
    if isAdded { answered.append(answer.answered) }
    return isAdded
  }

  mutating func add(_ notifications: [any OutgoingNotification]) {
    self.notifications += notifications
  }

  /// Appends the answer of the batch.
  func write(to bytes: inout [UInt8]) {
    bytes.reserveCapacity(bytes.count + answers.count + 64)
    bytes.append(UInt8(ascii: "["))
    bytes.append(contentsOf: answers)
    bytes.append(UInt8(ascii: "]"))
  }
}
