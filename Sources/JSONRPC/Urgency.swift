public import JSON

/// Which messages a request at hand should know of before their turn, when it waits for something that may be long in
/// coming: a person's finger, or another program.
///
/// They are answered in their turn all the same.
public struct Urgency: Sendable {
  private let words: [[UInt8]]
  private let isUrgent: @Sendable (_ method: String, _ parameters: JSON?) -> Bool

  /// Messages of some methods.
  ///
  /// - Parameters:
  ///   - methods: their names. A message in which none of them stands is not read ahead of its turn.
  ///   - condition: whether a message of one of these methods is urgent.
  public init(
    methods: Set<String>,
    where condition: @escaping @Sendable (_ method: String, _ parameters: JSON?) -> Bool = { _, _ in true }
  ) {
    words = Self.words(of: methods)
    isUrgent = { method, parameters in methods.contains(method) && condition(method, parameters) }
  }

  /// The words of which one stands in each message of the methods: what is behind the slash, since the slash itself may be
  /// written with an escape.
  static func words(of methods: Set<String>) -> [[UInt8]] {
    Set(methods.map { $0.split(separator: "/").last.map(String.init) ?? $0 }).map { Array($0.utf8) }
  }

  /// The first urgent message of a frame, which may be a batch.
  func message(in frame: Frame) -> Message? {
    guard case .message(let bytes) = frame, words.contains(where: bytes.contains(word:)),
      let value = try? JSONReader.read(bytes)
    else { return nil }
    guard case .array(let values) = value else { return message(value) }
    return values.count > Connection.batchLimit ? nil : values.lazy.compactMap(message).first
  }

  /// The message that a value is, if it is urgent.
  func message(_ value: JSON) -> Message? {
    guard let message = try? Message(value) else { return nil }
    switch message {
    case .request(_, let method, let parameters), .notification(let method, let parameters):
      return isUrgent(method, parameters) ? message : nil
    case .response: return nil
    }
  }
}
