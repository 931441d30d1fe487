import CLinux
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Wire

/// A listener on a loop of its own, which answers every client and echoes what it sends.
final class ListeningService: Sendable {
  /// Timers that fire when a test says so.
  final class Timers: Sendable {
    final class Timer: EventLoop.Timer {
      fileprivate let action: @Sendable () -> Void
      fileprivate let span = Mutex<Duration?>(nil)

      init(_ action: @escaping @Sendable () -> Void) { self.action = action }

      func set(after span: Duration) { self.span.withLock { $0 = span } }

      func cancel() { span.withLock { $0 = nil } }
    }

    private struct Weak { weak var timer: Timer? }
    private let timers = Mutex<[Weak]>([])

    func make(_ action: @escaping @Sendable () -> Void) -> any EventLoop.Timer {
      let timer = Timer(action)
      timers.withLock { $0.append(Weak(timer: timer)) }
      return timer
    }

    /// The actions of timers that are set to a span. Each may be called once, on the loop's thread.
    func due(after span: Duration) -> [@Sendable () -> Void] {
      timers.withLock { timers in
        timers.compactMap(\.timer).filter { timer in
          timer.span.withLock { set in
            defer { if set == span { set = nil } }
            return set == span
          }
        }.map(\.action)
      }
    }
  }

  static let version = "1.2.3"
  let vault: String
  let path: String
  let place: ServiceLocation
  let timers = Timers()
  let listener: Listener
  /// The clients that have greeted, in order.
  let clients = Mutex<[AcceptedClient]>([])
  private let loop: EventLoop
  private let places: Places
  private let serviceSocket: ServiceSocket
  private let ended = Event<Void>("end of the loop")

  /// - Parameters:
  ///   - user: the user whose service it pretends to be.
  ///   - connections: how many clients are connected already, by descriptors that do not exist.
  init(user: UInt32 = geteuid(), connections: Int = 0) async throws {
    places = try Places()
    place = try places.place()
    (path, vault) = (place.socket, place.vault)
    loop = try EventLoop()
    serviceSocket = try #require(try ServiceSocket.claim(place))
    let socket = Int32(serviceSocket.descriptor)
    let accepted = Accepted()
    listener = Listener(
      loop: loop, socket: socket, vault: vault, version: Self.version, user: user,
      connections: Set((0..<Int32(connections)).map { $0 + 1_000_000 }),
      makeTimer: { [timers] _, action in timers.make(action) },
      onClient: { accepted.take($0) })
    accepted.service.withLock { $0 = self }
    Thread.detachNewThread { [loop, ended] in
      loop.run()
      ended.happen()
    }
    try await listener.start()
  }

  private final class Accepted: Sendable {
    struct Weak { weak var service: ListeningService? }
    let service = Mutex<ListeningService?>(nil)

    func take(_ client: AcceptedClient) { service.withLock { $0 }?.serve(client) }
  }

  private func serve(_ client: AcceptedClient) {
    clients.withLock { $0.append(client) }
    guard client.answer(.accepted(version: Self.version, process: Int(getpid()))) else { return }
    loop.watch(client.descriptor, for: .reading) { [weak self] in self?.echo(client.descriptor) }
  }

  private func echo(_ descriptor: Int32) {
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    let count = linux_receive(descriptor, &buffer, buffer.count, 0)
    guard count > 0 else {
      loop.unwatch(descriptor)
      listener.assumeIsolated { $0.close(descriptor) }
      return
    }
    // As a service that reads no further requests while its answers wait.
    _ = send(descriptor, buffer, count, Int32(MSG_NOSIGNAL))
  }

  /// Fires the timers that are set to a span.
  func fire(after span: Duration) async {
    let due = timers.due(after: span)
    await listener.run { for action in due { action() } }
  }

  /// Stops the loop.
  func stop() async throws {
    _ = await listener.stop()
    serviceSocket.release(place)
    loop.stop()
    try await ended.value()
  }

  /// A connected client.
  func connect() throws -> Client { try Client(path) }

  /// A client that has sent something when it is accepted.
  func connect(sending bytes: [UInt8]) async throws -> Client {
    try await listener.run { [path] in
      let client = try Client(path)
      client.send(bytes)
      return client
    }
  }

  /// Waits until the listener is in a state.
  func wait(_ condition: @Sendable @escaping (isolated Listener) -> Bool) async throws {
    let limit = Date(timeIntervalSinceNow: eventTimeout)
    while await !listener.holds(condition) {
      guard limit > Date() else { throw DeadlinePassed(description: "the listener's state") }
      try await Task.sleep(for: .milliseconds(1))
    }
  }
}

extension Listener {
  func run<Value: Sendable>(_ body: @Sendable () throws -> Value) rethrows -> Value { try body() }

  func holds(_ condition: @Sendable (isolated Listener) -> Bool) -> Bool { condition(self) }
}

/// A blocking client of a socket.
final class Client: Sendable {
  let descriptor: Int32

  init(_ path: String) throws {
    descriptor = linux_socket()
    guard linux_connect(descriptor, path, 60) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    var limit = timeval(tv_sec: Int(eventTimeout), tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  func send(_ bytes: [UInt8]) { _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }

  /// Reads up to a number of bytes; fewer at the end of the stream.
  func read(_ count: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      var buffer = [UInt8](repeating: 0, count: count - bytes.count)
      let read = recv(descriptor, &buffer, buffer.count, 0)
      guard read >= 0 || errno == ECONNRESET else { throw DeadlinePassed(description: "no bytes") }
      if read <= 0 { break }
      bytes += buffer[..<read]
    }
    return bytes
  }

  /// Reads the answer to a greeting; nil if the stream ends.
  func answer() throws -> GreetingResponse? {
    var line: [UInt8] = []
    while let byte = try read(1).first, byte != 0x0A { line.append(byte) }
    return GreetingResponse(line: line)
  }

  /// Whether the other end has closed the connection.
  func isAtEnd() throws -> Bool { try read(1).isEmpty }
}
