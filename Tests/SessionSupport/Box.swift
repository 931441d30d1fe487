import Synchronization

/// A value that threads share.
package final class Box<Value: Sendable>: Sendable {
  private let content: Mutex<Value>

  package init(_ value: Value) {
    content = Mutex(value)
  }

  package var value: Value {
    get { content.withLock { $0 } }
    set { content.withLock { $0 = newValue } }
  }
}
