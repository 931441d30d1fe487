import Foundation
import Glibc

/// How messages are separated on a stream.
public enum Framing: String, Sendable, CaseIterable {
  /// One message a line.
  case lines
  /// `Content-Length` headers.
  case headers

  /// A message in its frame.
  public func frame(_ message: [UInt8]) -> [UInt8] {
    switch self {
    case .lines: message + [0x0A]
    case .headers: Array("Content-Length: \(message.count)\r\n\r\n".utf8) + message
    }
  }
}

/// A client's end of a conversation: two pipes, read and written with a deadline, and strict about what comes back.
public final class Channel {
  /// The framing that the client speaks.
  public let framing: Framing
  private var input: Int32
  private let output: Int32
  /// What the program has said on standard error so far.
  let standardError: () -> String
  private var received: [UInt8] = []
  private var position = 0
  private var hasEnded = false

  /// Takes over two descriptors.
  ///
  /// - Parameters:
  ///   - input: where the client writes.
  ///   - output: where it reads.
  ///   - standardError: what the program has said on standard error so far.
  public init(
    input: Int32, output: Int32, framing: Framing, standardError: @escaping () -> String = { "" }
  ) {
    self.input = input
    self.output = output
    self.framing = framing
    self.standardError = standardError
    Self.ignoresBrokenPipes
    _ = fcntl(input, F_SETFL, O_NONBLOCK)
  }

  deinit {
    closeInput()
    close(output)
  }

  /// A program that ends while a test writes to it must not end the tests.
  private static let ignoresBrokenPipes: Void = { _ = signal(SIGPIPE, SIG_IGN) }()

  /// Sends one message.
  public func send(_ message: String, by deadline: Deadline = .usual) throws {
    try write(framing.frame(Array(message.utf8)), by: deadline)
  }

  /// Sends bytes as they are, and takes in what comes back meanwhile.
  public func write(_ bytes: [UInt8], by deadline: Deadline = .usual) throws {
    var written = 0
    while written < bytes.count {
      var polled = [
        pollfd(fd: input, events: Int16(POLLOUT), revents: 0),
        pollfd(fd: hasEnded ? -1 : output, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&polled, 2, deadline.milliseconds) > 0 else {
        throw Failure("the program does not read its input")
      }
      if polled[1].revents != 0 { receive() }
      guard polled[0].revents != 0 else { continue }
      let count = bytes[written...].withUnsafeBytes { Glibc.write(input, $0.baseAddress, $0.count) }
      guard count >= 0 || errno == EAGAIN else { throw Failure("the program has closed its input") }
      written += max(count, 0)
    }
  }

  /// Sends as many bytes as are taken without waiting, and reads nothing.
  ///
  /// - Returns: how many were sent.
  @discardableResult public func writeWhatFits(_ bytes: [UInt8]) throws -> Int {
    var written = 0
    var polled = pollfd(fd: input, events: Int16(POLLOUT), revents: 0)
    // A reader that goes on reading makes room again.
    while written < bytes.count, poll(&polled, 1, 200) > 0 {
      let count = bytes[written...].withUnsafeBytes { Glibc.write(input, $0.baseAddress, $0.count) }
      guard count >= 0 || errno == EAGAIN else { throw Failure("the program has closed its input") }
      written += max(count, 0)
    }
    return written
  }

  /// Waits until something comes, and reads a few bytes of it.
  public func waitForBytes(by deadline: Deadline = .usual) throws {
    var polled = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    guard poll(&polled, 1, deadline.milliseconds) > 0 else { throw Failure("no message in time") }
    var buffer = [UInt8](repeating: 0, count: 100)
    received += buffer[..<max(read(output, &buffer, buffer.count), 0)]
  }

  /// Says that nothing follows.
  public func closeInput() {
    if input >= 0 { close(input) }
    input = -1
  }

  /// Returns the next message; nil at the end of the output.
  public func next(by deadline: Deadline = .usual) throws -> String? {
    while true {
      if let message = try cut() { return message }
      guard !hasEnded else {
        guard position == received.count else { throw Failure("the output ends inside a message: \(rest)") }
        return nil
      }
      var polled = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      guard poll(&polled, 1, deadline.milliseconds) > 0 else { throw Failure("no message in time: \(rest)") }
      receive()
    }
  }

  /// The next message, which must come.
  public func message(by deadline: Deadline = .usual) throws -> String {
    guard let message = try next(by: deadline) else {
      throw Failure("the output has ended: \(standardError())")
    }
    return message
  }

  /// Returns the next line with its line break, which the last one may lack; nil at the end.
  func nextLine(by deadline: Deadline) throws -> String? {
    while true {
      let pending = received[position...]
      let end = pending.firstIndex(of: 0x0A).map { $0 + 1 } ?? (hasEnded ? pending.endIndex : nil)
      if let end {
        defer { position = end }
        return end > position ? try text(pending[..<end]) : nil
      }
      var polled = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      guard poll(&polled, 1, deadline.milliseconds) > 0 else { throw Failure("no output in time: \(rest)") }
      receive()
    }
  }

  private var rest: String {
    String(decoding: received[position...].prefix(400), as: UTF8.self).debugDescription
  }

  private func receive() {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    let count = read(output, &buffer, buffer.count)
    if count > 0 { received += buffer[..<count] } else if count == 0 || errno != EAGAIN { hasEnded = true }
  }

  private func cut() throws -> String? {
    if position > 1 << 20 {
      received.removeFirst(position)
      position = 0
    }
    let pending = received[position...]
    switch framing {
    case .lines:
      guard let end = pending.firstIndex(of: 0x0A) else { return nil }
      position = end + 1
      return try text(pending[..<end])
    case .headers:
      let name = Array("Content-Length: ".utf8)
      guard pending.starts(with: name) || pending.count < name.count else {
        throw Failure("not a header: \(rest)")
      }
      guard let end = pending.firstIndex(of: 0x0D) else { return nil }
      let digits = String(decoding: pending[(pending.startIndex + name.count)..<end], as: UTF8.self)
      guard let length = Int(digits), String(length) == digits else {
        throw Failure("not a length: \(digits)")
      }
      guard pending.endIndex >= end + 4 + length else { return nil }
      guard pending[end..<end + 4].elementsEqual("\r\n\r\n".utf8) else {
        throw Failure("another header: \(rest)")
      }
      position = end + 4 + length
      return try text(pending[(end + 4)..<position])
    }
  }

  private func text(_ bytes: ArraySlice<UInt8>) throws -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw Failure("a message is not UTF-8") }
    return text
  }
}

/// A pipe whose ends close themselves at exec(3), as of the moment they are there: other threads start programs meanwhile,
/// and a program that inherits the writing end keeps the reader waiting for ever.
public func makePipe() throws -> (reading: Int32, writing: Int32) {
  let directory = try TemporaryDirectory()
  let path = directory.appending("pipe")
  guard mkfifo(path, 0o600) == 0 else { throw Failure("mkfifo: \(errno)") }
  let reading = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
  let writing = open(path, O_WRONLY | O_CLOEXEC)
  guard reading >= 0, writing >= 0, fcntl(reading, F_SETFL, 0) == 0 else { throw Failure("open: \(errno)") }
  return (reading, writing)
}
