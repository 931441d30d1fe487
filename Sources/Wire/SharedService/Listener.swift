import CLinux
import Glibc

/// Accepts the clients of a service, on the loop's thread.
///
/// A client has ``greetingTimeout`` for its greeting. No more than ``greetingLimit`` greetings are waited for at a time: beyond
/// that, the client that has taken longest is closed, so that nobody waits for it. All its clients are of one user and one vault;
/// others are refused.
package actor Listener {
  /// The maximum number of clients whose greetings are not complete, and of clients that are accepted in one turn of the loop.
  package static let greetingLimit = 64
  /// The maximum number of clients that have greeted.
  package static let connectionLimit = 256
  package static let greetingTimeout = Duration.seconds(5)
  /// The pause before accepting again after a lack of descriptors or memory.
  private static let pause = Duration.milliseconds(100)

  private struct PendingClient {
    /// Its number in the order of connecting.
    let number: Int
    var reader = LineReader(limit: Greeting.limit)
    var timer: (any EventLoop.Timer)?
  }

  /// The loop's thread.
  package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

  private nonisolated let loop: EventLoop
  private let socket: Int32
  private let vault: String
  private let version: String
  private let user: UInt32
  private let executables: Executables
  private let makeTimer: EventLoop.TimerFactory
  private let makeRoom: @Sendable () -> Bool
  private let onClient: @Sendable (AcceptedClient) -> Void
  private var pendingClients: [Int32: PendingClient] = [:]
  private var lastNumber = 0
  private var connections: Set<Int32>
  private var isAccepting = false
  private var retryTimer: (any EventLoop.Timer)?

  /// - Parameters:
  ///   - socket: the listening socket.
  ///   - vault: the real path of the vault.
  ///   - version: the version of the program.
  ///   - executables: finds the programs of clients.
  ///   - connections: the sockets of clients that greeted another listener, before the process replaced itself.
  ///   - makeRoom: closes a connection if there are ``connectionLimit`` when a client has greeted, and returns whether it did.
  ///   - onClient: takes a client, answers its greeting, and closes it at its end with ``close(_:)``.
  package init(
    loop: EventLoop, socket: Int32, vault: String, version: String, user: UInt32 = geteuid(),
    executables: Executables = Executables(), connections: Set<Int32> = [],
    makeTimer: @escaping EventLoop.TimerFactory = { try LoopTimer(on: $0, $1) },
    makeRoom: @escaping @Sendable () -> Bool = { false },
    onClient: @escaping @Sendable (AcceptedClient) -> Void
  ) {
    (self.loop, self.socket, self.vault, self.version) = (loop, socket, vault, version)
    self.executables = executables
    (self.user, self.connections, self.makeTimer) = (user, connections, makeTimer)
    (self.makeRoom, self.onClient) = (makeRoom, onClient)
  }

  /// The number of clients whose greetings are not complete.
  package var newcomerCount: Int { pendingClients.count }
  /// The number of clients that have greeted and are not closed.
  package var connectionCount: Int { connections.count }

  /// Begins to accept clients.
  ///
  /// - Throws: ``SystemError`` if there is no descriptor left.
  package func start() throws {
    retryTimer = try makeTimer(loop) { [weak self] in self?.assumeIsolated { $0.acceptWhenReady() } }
    isAccepting = true
    acceptWhenReady()
  }

  /// Accepts no more clients, and drops those that have not greeted. They connect again, when the service is back.
  ///
  /// - Returns: the listening socket, which stays open.
  package func stop() -> Int32 {
    isAccepting = false
    loop.unwatch(socket)
    retryTimer = nil
    for descriptor in pendingClients.keys { drop(descriptor) }
    return socket
  }

  /// Closes the socket of a client that has greeted.
  package func close(_ descriptor: Int32) {
    guard connections.remove(descriptor) != nil else { return }
    Glibc.close(descriptor)
  }

  private func acceptWhenReady() {
    guard isAccepting else { return }
    loop.watch(socket, for: .reading) { [weak self] in self?.assumeIsolated { $0.acceptAll() } }
  }

  private func acceptAll() {
    var left = Self.greetingLimit
    while left > 0, isReady(socket) {
      let descriptor = linux_accept(socket)
      guard descriptor >= 0 else {
        if ![EAGAIN, EINTR, ECONNABORTED].contains(errno) { acceptLater() }
        return
      }
      receive(descriptor)
      left -= 1
    }
  }

  /// Waits a moment, since a socket that cannot be accepted stays ready.
  private func acceptLater() {
    loop.unwatch(socket)
    retryTimer?.set(after: Self.pause)
  }

  private func receive(_ descriptor: Int32) {
    guard (try? PeerProcess.user(of: descriptor)) == user else { return refuse(descriptor, .otherUser) }
    lastNumber += 1
    pendingClients[descriptor] = PendingClient(number: lastNumber)
    guard readGreeting(of: descriptor) else { return }
    if pendingClients.count > Self.greetingLimit,
      let slowest = pendingClients.min(by: { $0.value.number < $1.value.number })
    {
      // Without an answer: a client that was only slow connects again.
      drop(slowest.key)
    }
    do {
      let timer = try makeTimer(loop) { [weak self] in
        self?.assumeIsolated { $0.refuse(descriptor, .malformed) }
      }
      timer.set(after: Self.greetingTimeout)
      pendingClients[descriptor]?.timer = timer
    } catch {
      return drop(descriptor)
    }
    loop.watch(descriptor, for: .reading) { [weak self] in
      self?.assumeIsolated { _ = $0.readGreeting(of: descriptor) }
    }
  }

  /// Reads what there is of a greeting.
  ///
  /// - Returns: whether more is needed.
  private func readGreeting(of descriptor: Int32) -> Bool {
    guard var pendingClient = pendingClients[descriptor] else { return false }
    let outcome = pendingClient.reader.read(from: descriptor)
    pendingClients[descriptor] = pendingClient
    switch outcome {
    case .incomplete: return true
    case .closed: drop(descriptor)
    case .tooLong: refuse(descriptor, .malformed)
    case .line(let line): greet(descriptor, Greeting(line: line))
    }
    return false
  }

  private func greet(_ descriptor: Int32, _ greeting: Greeting?) {
    guard let greeting else { return refuse(descriptor, .malformed) }
    guard greeting.vault == vault else { return refuse(descriptor, .otherVault) }
    guard connections.count < Self.connectionLimit || makeRoom() else { return refuse(descriptor, .tooMany) }
    guard
      let peer = try? PeerProcess(
        of: descriptor, expecting: user, executables, speaksForStarter: greeting.isForAgent)
    else { return refuse(descriptor, .unknownProcess) }
    forget(descriptor)
    connections.insert(descriptor)
    onClient(AcceptedClient(descriptor: descriptor, greeting: greeting, peer: peer))
  }

  private func refuse(_ descriptor: Int32, _ refusal: GreetingResponse.Refusal) {
    _ = GreetingResponse.refused(refusal, version: version).send(to: descriptor)
    drop(descriptor)
  }

  private func drop(_ descriptor: Int32) {
    forget(descriptor)
    Glibc.close(descriptor)
  }

  /// Waits no longer for a greeting.
  private func forget(_ descriptor: Int32) {
    guard let pendingClient = pendingClients.removeValue(forKey: descriptor) else { return }
    pendingClient.timer?.cancel()
    loop.unwatch(descriptor)
  }

  private func isReady(_ descriptor: Int32) -> Bool {
    var query = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&query, 1, 0) > 0
  }
}

/// A client that has greeted, and waits for the answer.
package struct AcceptedClient: Sendable {
  /// The socket, whose next bytes are the first of the conversation. It is closed by ``Listener/close(_:)``.
  package let descriptor: Int32
  package let greeting: Greeting
  package let peer: PeerProcess

  /// Answers the greeting.
  ///
  /// - Returns: false if the client has gone.
  package func answer(_ answer: GreetingResponse) -> Bool { answer.send(to: descriptor) }
}

extension GreetingResponse {
  /// Writes the line, for which a new socket has always room.
  func send(to socket: Int32) -> Bool {
    let line = line
    return unsafe linux_send(socket, line, line.count) == line.count
  }
}
