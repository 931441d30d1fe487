import JSON

/// An array of messages, answered by one array (JSON-RPC 2.0, section 6).
struct Batch {
  private var rest: ArraySlice<JSON>
  private var searched = 0
  private var answers: [JSON] = []
  private var notifications: [any OutgoingNotification] = []

  init(_ values: [JSON]) {
    rest = values[...]
  }

  mutating func next() -> JSON? {
    rest.popFirst()
  }

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

  mutating func add(_ answer: JSON?, _ notifications: [any OutgoingNotification]) {
    if let answer { answers.append(answer) }
    self.notifications += notifications
  }

  /// The answer of the batch, nil if it had only notifications; nil as a whole while messages are left.
  var outcome: (answer: JSON?, notifications: [any OutgoingNotification])? {
    rest.isEmpty ? (answers.isEmpty ? nil : .array(answers), notifications) : nil
  }
}
