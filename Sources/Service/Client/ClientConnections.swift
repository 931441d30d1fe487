import CLinux
import Glibc
import Wire

/// The connections of a server: begins them, and sees when they are over. It is used on the loop's thread.
final class ClientConnections: @unchecked Sendable {
  private struct Open {
    let connection: Connection
    let socket: Int32?
    let endsWithStatus: Bool
  }

  private let loop: EventLoop
  private let service: VaultService
  private var open: [ClientIdentifier: Open] = [:]
  private var lastNumber = 0
  /// The clients with which the next process continues, by their numbers.
  private var handedOff: [Int: HandoffState.Client] = [:]
  /// Whether the first conversations were begun; a signal may come before that.
  var haveBegun = false
  /// Why the last connection was closed.
  private(set) var lastReason: CloseReason?
  /// Called when a connection is over.
  var onClose: (_ socket: Int32?) -> Void = { _ in }

  init(_ loop: EventLoop, _ service: VaultService) {
    (self.loop, self.service) = (loop, service)
  }

  var isEmpty: Bool { open.isEmpty }

  /// The states of all that were handed over, in the order in which they came.
  var handoffStates: [HandoffState.Client] {
    handedOff.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Begins a conversation.
  ///
  /// - Parameters:
  ///   - state: has the socket; without one the descriptors are `input` and `output`.
  ///   - ticket: what the client has presented to be admitted.
  func add(_ state: HandoffState.Client, input: Int32, output: Int32, ticket: String? = nil) {
    lastNumber += 1
    let identifier = ClientIdentifier(number: lastNumber)
    let closeTimeout: Duration = state.socket == nil ? .seconds(2) : Self.socketTimeout
    let connection = Connection(
      loop: loop, input: input, output: output, resuming: state.streamState, at: state.stage,
      closeTimeout: closeTimeout, handler: ClientHandler(service: service, client: identifier)
    ) { [weak self] in self?.didClose(identifier) }
    open[identifier] = Open(
      connection: connection, socket: state.socket, endsWithStatus: state.endsWithStatus)
    service.assumeIsolated { $0.connect(identifier, on: connection, resuming: state, ticket: ticket) }
    connection.assumeIsolated { $0.start() }
  }

  /// Begins the conversation of a client that has greeted.
  func add(_ client: AcceptedClient) {
    guard client.answer(.accepted(version: Server.version, process: Int(getpid()))) else {
      return onClose(client.descriptor)
    }
    let state = HandoffState.Client(
      locale: client.greeting.locale,
      origin: ClientOrigin(client.peer, isForAgent: client.greeting.isForAgent),
      environment: client.greeting.environment, socket: client.descriptor,
      endsWithStatus: client.greeting.endsWithStatus)
    add(state, input: client.descriptor, output: client.descriptor, ticket: client.greeting.ticket)
  }

  /// Closes the connection of a client that may not use the vault, in favour of another client.
  ///
  /// - Returns: whether there was one.
  func makeRoom() -> Bool {
    guard let identifier = service.assumeIsolated({ $0.clientToDrop() }), let entry = open[identifier]
    else { return false }
    entry.connection.assumeIsolated { $0.abort() }
    return true
  }

  /// Stops all conversations.
  func stopAll() {
    for entry in open.values { entry.connection.assumeIsolated { $0.stop() } }
  }

  /// How long a client on a socket has to read the rest of a message at a lock, which others wait for.
  private static let socketTimeout = Duration.milliseconds(100)

  private func didClose(_ identifier: ClientIdentifier) {
    guard let entry = open.removeValue(forKey: identifier) else { return }
    let reason = entry.connection.assumeIsolated { $0.closeReason }
    lastReason = reason
    if case .handedOff(let streamState, let stage) = reason {
      var state = service.assumeIsolated {
        $0.handoffState(of: identifier, stage: stage, streamState: streamState)
      }
      (state.socket, state.endsWithStatus) = (entry.socket, entry.endsWithStatus)
      handedOff[identifier.number] = state
    }
    if case .exit(afterShutdown: false) = reason, entry.endsWithStatus, let socket = entry.socket {
      _ = unsafe linux_send(socket, [Greeting.failure], 1)
    }
    service.assumeIsolated { $0.disconnect(identifier) }
    if case .handedOff = reason { onClose(nil) } else { onClose(entry.socket) }
  }
}
