import CLinux
import Glibc
import Synchronization

/// Copies the bytes of a conversation between a client's descriptors and a service's socket, until one of them ends.
///
/// Each direction has a thread and a buffer of 64 KiB. Bytes are read only when they can be written at once, and are overwritten
/// then: those of a client that does not read stay in the kernel, and the relay waits with an empty buffer. splice(2) would save
/// the copy, but locks the client's pipe while it waits for the socket, and even a client that never waits would wait for that.
package final class Relay: Sendable {
  /// How a conversation ended.
  package enum Outcome: Hashable, Sendable {
    /// The client has left, or the service has closed the conversation.
    case ended
    /// The client has sent `exit` without `shutdown`.
    case exitedEarly
    /// The service's process has ended, and with it the conversation.
    case serviceDied
  }

  /// The size of the buffer of a direction, in bytes.
  package static let bufferSize = 64 << 10
  private static let stackSize = 128 << 10

  private let input: Int32
  private let output: OutputDescriptor
  private let socket: OutputDescriptor
  private let service: ServiceProcess
  private let toService = Buffer()
  private let toClient = Buffer()
  private let clientHasLeft = Atomic(false)
  private let hasExitedEarly = Atomic(false)
  /// What the service's process did when the conversation ended.
  private let serviceState = Atomic(ServiceState.unknown)

  private enum ServiceState: Int, AtomicRepresentable { case unknown, running, ending }

  /// Memory for bytes on their way. It is never freed, as threads use it until the process ends.
  @safe private struct Buffer: @unchecked Sendable {
    let bytes = UnsafeMutableRawPointer.allocate(byteCount: Relay.bufferSize, alignment: 4_096)

    func lastByte(of count: Int) -> UInt8 { unsafe bytes.load(fromByteOffset: count - 1, as: UInt8.self) }
  }

  /// - Parameters:
  ///   - input: the descriptor that the client writes to.
  ///   - output: the descriptor that the client reads from.
  package init(input: Int32, output: Int32, _ connection: ServiceConnection) {
    (self.input, self.output) = (input, OutputDescriptor(output))
    socket = OutputDescriptor(connection.descriptor)
    service = ServiceProcess(connection.process)
    signal(SIGPIPE, SIG_IGN)
  }

  /// Begins to copy what the client writes. After this no thread is started any more.
  package func start() throws(SystemError) {
    try Thread.start(stackSize: Self.stackSize) { [self] in
      copy(from: input, to: socket, toService)
      // Answers to what was read still come.
      shutdown(socket.descriptor, Int32(SHUT_WR))
    }
    try Thread.start(stackSize: Self.stackSize) { [self] in
      waitUntilClientLeaves()
      clientHasLeft.store(true, ordering: .sequentiallyConsistent)
      shutdown(socket.descriptor, Int32(SHUT_RDWR))
    }
  }

  /// Copies what the service writes, until the conversation ends.
  package func run() -> Outcome {
    let isRead = copy(from: socket.descriptor, to: output, toClient)
    if hasExitedEarly.load(ordering: .sequentiallyConsistent) { return .exitedEarly }
    guard isRead, !clientHasLeft.load(ordering: .sequentiallyConsistent) else { return .ended }
    noteServiceState()
    return serviceState.load(ordering: .sequentiallyConsistent) == .ending ? .serviceDied : .ended
  }

  /// Notes, once, whether the service ends together with the conversation. A client may read the rest of it much later, when a
  /// service that nobody uses has ended long ago.
  private func noteServiceState() {
    _ = serviceState.compareExchange(
      expected: .unknown, desired: service.isEnding ? .ending : .running, ordering: .sequentiallyConsistent)
  }

  /// Copies until there is nothing more to read, or nobody to write for.
  ///
  /// - Returns: whether everything was written that could be read.
  @discardableResult
  private func copy(from source: Int32, to destination: OutputDescriptor, _ buffer: Buffer) -> Bool {
    // 1 while the last byte from the service may be its status: then nothing follows.
    var held = 0
    while true {
      destination.waitUntilReady()
      let count = unsafe read(source, buffer.bytes + held, destination.room - held)
      guard count > 0 else {
        if count < 0, Self.canRetry(source, POLLIN) { continue }
        if held > 0 { hasExitedEarly.store(true, ordering: .sequentiallyConsistent) }
        return true
      }
      let end = held + count
      // What is held is the first byte of the buffer, because wiping leaves the same value there.
      defer { unsafe explicit_bzero(buffer.bytes, end) }
      held = source == socket.descriptor && buffer.lastByte(of: end) == Greeting.failure ? 1 : 0
      var position = 0
      while position < end - held {
        let written = unsafe write(destination.descriptor, buffer.bytes + position, end - held - position)
        if written > 0 { position += written }
        guard written > 0 || Self.canRetry(destination.descriptor, POLLOUT) else { return false }
      }
    }
  }

  /// Whether a call that failed may succeed now: it was interrupted, or the descriptor does not block and is ready.
  private static func canRetry(_ descriptor: Int32, _ event: Int32) -> Bool {
    if errno == EINTR { return true }
    guard errno == EAGAIN else { return false }
    var query = pollfd(fd: descriptor, events: Int16(event), revents: 0)
    return unsafe poll(&query, 1, -1) > 0 || errno == EINTR
  }

  /// Waits until nobody can read the output any more. Meanwhile it notes how the service ends the conversation.
  private func waitUntilClientLeaves() {
    // A hang-up is told without being asked for.
    var queries = [output.descriptor, socket.descriptor].map { pollfd(fd: $0, events: 0, revents: 0) }
    while queries[0].revents == 0 {
      guard unsafe poll(&queries, nfds_t(queries.count), -1) > 0 || errno == EINTR else { return }
      guard queries[1].revents != 0 else { continue }
      noteServiceState()
      // It would be told again at once.
      queries[1] = pollfd(fd: -1, events: 0, revents: 0)
    }
  }
}

/// The process of a service, opened so that it can be looked at when no file can be opened any more.
private struct ServiceProcess {
  /// `/proc/PID/stat`; -1 if it is hidden.
  private let status: Int32
  /// A pidfd; -1 if there was no such process.
  private let watch: Int32

  init(_ process: Int) {
    status = unsafe open("/proc/\(process)/stat", O_RDONLY | O_CLOEXEC)
    watch = linux_process_descriptor(Int32(truncatingIfNeeded: process))
  }

  /// Whether the process has ended, or closes its descriptors because it ends.
  var isEnding: Bool {
    var query = pollfd(fd: watch, events: Int16(POLLIN), revents: 0)
    let hasEnded = unsafe watch < 0 || poll(&query, 1, 0) > 0
    if hasEnded { return true }
    guard status >= 0 else { return false }
    guard let text = SystemFile.read(status) else { return true }
    return ProcessStatus(text)?.isEnding ?? true
  }
}
