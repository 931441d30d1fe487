import Glibc
import VaultInterface
import Wire

/// Standard output. What cannot be written is a failure.
final class Output {
  private let descriptor: Int32
  private var bytes: [UInt8] = []
  /// The number of columns of the terminal; nil if this is no terminal.
  let width: Int?
  /// Whether the terminal can show bold text, and the user wants it.
  let hasStyles: Bool

  private static let portion = 64 << 10

  init(_ descriptor: Int32 = 1) {
    self.descriptor = descriptor
    guard isatty(descriptor) == 1 else {
      (width, hasStyles) = (nil, false)
      return
    }
    width = Terminal.size(of: descriptor).columns
    let kind = Terminal.kind
    hasStyles = (Environment["NO_COLOR"] ?? "").isEmpty && kind != "dumb" && !kind.isEmpty
  }

  var isTerminal: Bool { width != nil }

  func bold(_ text: String) -> String { hasStyles ? "\u{1b}[1m\(text)\u{1b}[0m" : text }

  func write(_ text: String) throws(Failure) {
    bytes.append(contentsOf: text.utf8)
    if bytes.count >= Self.portion { try flush() }
  }

  func line(_ text: String) throws(Failure) {
    try write(text)
    bytes.append(0x0A)
  }

  func write(_ content: [UInt8]) throws(Failure) {
    bytes.append(contentsOf: content)
    if bytes.count >= Self.portion { try flush() }
  }

  /// Prints a value as indented JSON.
  func json(_ value: JSON) throws(Failure) { try write(value.prettyText) }

  func flush() throws(Failure) {
    defer { bytes.removeAll(keepingCapacity: true) }
    try Descriptor.write(bytes, to: descriptor)
  }
}

enum Descriptor {
  /// The number of bytes that a pipe takes without waiting, once it is ready.
  private static let pipePortion = 4096

  /// Writes all bytes, to a pipe in portions, so that a signal ends the wait for a slow reader.
  static func write(_ bytes: [UInt8], to descriptor: Int32) throws(Failure) {
    var position = 0
    while position < bytes.count {
      try Signals.wait(for: descriptor, POLLOUT)
      let count = min(bytes.count - position, pipePortion)
      let written = unsafe bytes.withUnsafeBytes { bytes in
        unsafe Glibc.write(descriptor, bytes.baseAddress.map { unsafe $0 + position }, count)
      }
      if written >= 0 { position += written; continue }
      if errno == EINTR || errno == EAGAIN { continue }
      // A reader that has enough ends this program as it ends others.
      if errno == EPIPE { throw descriptor == 1 ? .signal(SIGPIPE) : .exit(.output, []) }
      let reason = unsafe String(cString: strerror(errno))
      throw .exit(.output, Localized("cannot write the output: \(reason)", "无法写入输出：\(reason)"))
    }
  }

  /// Reads until the end of input.
  ///
  /// - Parameter limit: the number of bytes after which reading stops.
  static func read(_ descriptor: Int32, upTo limit: Int = .max) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count <= limit, let portion = try readAvailable(descriptor) { bytes += portion }
    return bytes
  }

  /// Reads what is available, waiting for it.
  ///
  /// - Returns: nil at the end of input, and if the descriptor cannot be read.
  static func readAvailable(_ descriptor: Int32, upTo limit: Int = 64 << 10) throws(Failure) -> [UInt8]? {
    while true {
      try Signals.wait(for: descriptor)
      try Signals.awaitForeground(descriptor)
      var buffer = [UInt8](repeating: 0, count: limit)
      let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
      if count > 0 { return Array(buffer.prefix(count)) }
      guard count < 0, errno == EINTR || errno == EAGAIN else { return nil }
    }
  }

  /// The text of some input. Replacing what is not UTF-8 would lose what was typed, and make one password of many.
  static func text(_ bytes: [UInt8]) throws(Failure) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw notText }
    return text
  }

  static let notText = Failure.exit(
    .invalid, Localized("the input is not UTF-8 text", "输入不是 UTF-8 文本"))

  /// Reads a line byte by byte, so that what follows it stays in the descriptor.
  ///
  /// - Returns: the line without its end; nil at the end of input, or if the descriptor cannot be read.
  /// - Throws: also if the line is not UTF-8.
  static func readLine(_ descriptor: Int32) throws(Failure) -> String? {
    var bytes: [UInt8] = []
    while let byte = try readAvailable(descriptor, upTo: 1)?.first {
      if byte == 0x0A { return try text(withoutReturn(bytes)) }
      bytes.append(byte)
    }
    return bytes.isEmpty ? nil : try text(withoutReturn(bytes))
  }

  /// A line without the carriage return before its end, which Windows writes.
  static func withoutReturn(_ line: [UInt8]) -> [UInt8] { line.last == 0x0D ? line.dropLast() : line }
}

extension Descriptor {
  static func close(_ descriptor: Int32) { Glibc.close(descriptor) }
}
