/// An array of messages, whose answers go out in one array (JSON-RPC 2.0, section 6).
struct Batch {
  private var rest: ArraySlice<JSON>
  private var answers: [JSON] = []
  private var notices: [any OutgoingNotice] = []

  init(_ values: [JSON]) {
    rest = values[...]
  }

  /// Takes the message whose turn it is.
  mutating func next() -> JSON? {
    rest.popFirst()
  }

  /// Adds what a message gave.
  mutating func add(_ answer: JSON?, _ notices: [any OutgoingNotice]) {
    if let answer { answers.append(answer) }
    self.notices += notices
  }

  /// What the whole batch gives: no answer where it held notices alone; nil while messages are left.
  var outcome: (answer: JSON?, notices: [any OutgoingNotice])? {
    rest.isEmpty ? (answers.isEmpty ? nil : .array(answers), notices) : nil
  }
}
