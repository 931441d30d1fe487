import Foundation
import Synchronization
import func TestSupport.blocking
import struct TestSupport.DeadlinePassed
import var TestSupport.eventTimeout

@testable import Wire

/// The other end of a conversation: raw bytes out, messages in.
final class Client: Sendable {
  let framing: Framing
  private let output: Int32
  private let input: Int32
  private let received = Mutex(Received())
  private let isOpen = Mutex(true)

  init(framing: Framing, output: Int32, input: Int32) {
    self.framing = framing
    self.output = output
    self.input = input
  }

  /// Texts as sent on the wire.
  func frames(_ texts: [String]) -> [UInt8] {
    texts.flatMap { text in
      framing == .lines
        ? Array((text + "\n").utf8) : Array("Content-Length: \(text.utf8.count)\r\n\r\n\(text)".utf8)
    }
  }

  /// Writes texts in one go.
  func send(_ texts: String...) async throws {
    try await send(bytes: frames(texts))
  }

  /// Writes bytes, however long that takes.
  func send(bytes: [UInt8]) async throws {
    try await blocking { [output] in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(output, $0.baseAddress, $0.count) }
        guard count > 0 else { throw DeadlinePassed(description: "write failed: \(errno)") }
        rest = rest.dropFirst(count)
      }
    }
  }

  /// Writes as much as the pipe has room for.
  func sendWhatFits(_ bytes: ArraySlice<UInt8>) -> Int {
    _ = fcntl(output, F_SETFL, O_NONBLOCK)
    defer { _ = fcntl(output, F_SETFL, 0) }
    return max(0, bytes.withUnsafeBytes { write(output, $0.baseAddress, $0.count) })
  }

  /// Ends what it writes.
  func close() {
    isOpen.withLock {
      if $0 { Glibc.close(output) }
      $0 = false
    }
  }

  /// The next message's text.
  func text() async throws -> String {
    try await blocking { [self] in
      while true {
        if let text = received.withLock({ $0.take(framing) }) { return text }
        guard try readMore() else {
          throw DeadlinePassed(
            description:
              "the stream ended after \(received.withLock { String(decoding: $0.rest, as: UTF8.self) })"
          )
        }
      }
    }
  }

  /// The next message.
  func message() async throws -> JSON {
    try JSONReader.read(Array(try await text().utf8))
  }

  /// The next messages.
  func messages(_ count: Int) async throws -> [JSON] {
    var messages: [JSON] = []
    for _ in 0..<count { messages.append(try await message()) }
    return messages
  }

  /// Every message to the end of the stream, read on one thread.
  func rest() async throws -> [String] {
    try await blocking { [self] in
      while try readMore() {}
      var texts: [String] = []
      while let text = received.withLock({ $0.take(framing) }) { texts.append(text) }
      let left = received.withLock { $0.rest }
      guard left.isEmpty else { throw DeadlinePassed(description: "\(left.count) bytes left over") }
      return texts
    }
  }

  private func readMore() throws -> Bool {
    var query = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
    guard poll(&query, 1, Int32(eventTimeout * 1_000)) > 0 else {
      throw DeadlinePassed(
        description:
          "no answer after \(received.withLock { String(decoding: $0.rest.suffix(200), as: UTF8.self) })")
    }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(input, &buffer, buffer.count)
    guard count > 0 else { return false }
    received.withLock { $0.append(buffer[..<count]) }
    return true
  }
}
