import Glibc
import WebCarrier

/// Reads a password or token, before the process is confined.
enum Secret {
  /// In bytes.
  private static let longest = 16_384

  /// Reads the first line from a descriptor; nil if there is none, or it is too long, or no text.
  static func read(from descriptor: Int32) -> String? {
    var bytes = [UInt8](repeating: 0, count: longest)
    defer {
      unsafe bytes.withUnsafeMutableBytes { buffer in
        if let start = buffer.baseAddress { unsafe explicit_bzero(start, buffer.count) }
      }
    }
    var count = 0
    while count < bytes.count {
      let got = unsafe bytes.withUnsafeMutableBytes {
        unsafe Glibc.read(descriptor, $0.baseAddress?.advanced(by: count), 1)
      }
      if got < 0 && errno == EINTR { continue }
      guard got >= 0 else { return nil }
      if got == 0 || bytes[count] == UInt8(ascii: "\n") { break }
      count += 1
    }
    guard count > 0, count < bytes.count else { return nil }
    return String(validating: bytes[..<count], as: UTF8.self)
  }

  /// Asks at the terminal, without showing what is typed; nil without a terminal.
  static func ask(_ prompt: String) -> String? {
    guard let text = unsafe getpass(prompt) else { return nil }
    defer { unsafe explicit_bzero(text, strlen(text)) }
    let secret = unsafe String(cString: text)
    return secret.isEmpty ? nil : secret
  }
}
