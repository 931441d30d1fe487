/// An array of messages, answered by one array (JSON-RPC 2.0, section 6).
///
/// With headers the length comes first, so the answers are held until the last, as the bytes that are sent.
struct Batch {
  private var rest: ArraySlice<JSON>
  private let limit: Int
  private var searched = 0
  /// The answers, with a comma before each but the first.
  private(set) var answers: [UInt8] = []
  /// The requests that are answered.
  private(set) var answered: [RequestIdentifier] = []
  private(set) var notifications: [any OutgoingNotification] = []

  /// - Parameter limit: the most bytes of the answers.
  init(_ values: [JSON], upTo limit: Int) {
    rest = values[...]
    self.limit = limit
  }

  mutating func next() -> JSON? {
    rest.popFirst()
  }

  /// Whether every message was answered.
  var isDone: Bool { rest.isEmpty }

  /// The bytes of answers that were added or not.
  private var written = 0
  /// Whether so much was answered that no further request is begun.
  var isFull: Bool { answers.count >= limit || written >= 2 * limit }

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
  /// - Returns: whether it was added; one over the limit is not.
  mutating func add(_ answer: Message) -> Bool {
    let isAdded = answers.append(upTo: limit) { bytes in
      if !bytes.isEmpty { bytes.append(UInt8(ascii: ",")) }
      let start = bytes.count
      answer.write(to: &bytes)
      written += bytes.count - start
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
