/// Selects messages by method and parameters.
package struct MessageFilter: Sendable {
  private let words: [[UInt8]]
  private let matches: @Sendable (_ method: String, _ parameters: JSON?) -> Bool

  /// - Parameters:
  ///   - methods: the names of methods. A message without any of them is not parsed ahead of its turn.
  ///   - condition: whether a message of one of these methods matches.
  package init(
    methods: Set<String>,
    where condition: @escaping @Sendable (_ method: String, _ parameters: JSON?) -> Bool = { _, _ in true }
  ) {
    words = Self.words(of: methods)
    matches = { method, parameters in methods.contains(method) && condition(method, parameters) }
  }

  /// Returns the part of each method name after the slash, to find candidates without parsing. The slash may be escaped
  /// in JSON.
  static func words(of methods: Set<String>) -> [[UInt8]] {
    Set(methods.map { $0.split(separator: "/").last.map(String.init) ?? $0 }).map { Array($0.utf8) }
  }

  /// The first match in a frame, which may be a batch.
  func message(in frame: Frame) -> Message? {
    guard case .message(let bytes) = frame, words.contains(where: bytes.contains(word:)),
      let value = try? JSONReader.read(bytes)
    else { return nil }
    guard case .array(let values) = value else { return message(value) }
    return values.count > Connection.batchLimit ? nil : values.lazy.compactMap(message).first
  }

  /// Parses a message; nil unless it matches.
  func message(_ value: JSON) -> Message? {
    guard let message = try? Message(value) else { return nil }
    switch message {
    case .request(_, let method, let parameters), .notification(let method, let parameters):
      return matches(method, parameters) ? message : nil
    case .response: return nil
    }
  }
}
