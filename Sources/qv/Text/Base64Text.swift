import Wire

/// Base64 of whole arrays.
enum Base64Text {
  static func encode(_ bytes: [UInt8]) -> String { unsafe Base64.encode(bytes.span.bytes) }

  /// - Returns: nil if the text is not Base64.
  static func decode(_ text: String) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: Base64.decodedCount(text.utf8.count))
    var span = bytes.mutableSpan
    var output = unsafe span.mutableBytes
    guard let count = Base64.decode(text, into: &output) else { return nil }
    return Array(bytes.prefix(count))
  }
}
