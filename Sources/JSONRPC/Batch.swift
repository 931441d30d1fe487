import JSON

/// An array of messages, whose answers go out in one array (JSON-RPC 2.0, section 6).
struct Batch {
  private var rest: ArraySlice<JSON>
  private var searched = 0
  private var answers: [JSON] = []
  private var notifications: [any OutgoingNotification] = []

  init(_ values: [JSON]) {
    rest = values[...]
  }

  /// Takes the message whose turn it is.
  mutating func next() -> JSON? {
    rest.popFirst()
  }

  /// Makes ``firstUrgent(_:)`` begin with the message whose turn is next.
  mutating func beginSearch() {
    searched = rest.startIndex
  }

  /// The first message that is urgent among those whose turn is still to come.
  mutating func firstUrgent(_ urgency: Urgency) -> Message? {
    searched = max(searched, rest.startIndex)
    while searched < rest.endIndex {
      if let message = urgency.message(rest[searched]) { return message }
      searched += 1
    }
    return nil
  }

  /// Adds what a message gave.
  mutating func add(_ answer: JSON?, _ notifications: [any OutgoingNotification]) {
    if let answer { answers.append(answer) }
    self.notifications += notifications
  }

  /// What the whole batch gives: no answer where it held notifications alone; nil while messages are left.
  var outcome: (answer: JSON?, notifications: [any OutgoingNotification])? {
    rest.isEmpty ? (answers.isEmpty ? nil : .array(answers), notifications) : nil
  }
}
