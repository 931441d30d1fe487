import CSystemd
import Glibc
import Synchronization

/// A call that waits for its answer. Whoever waits may do so on another thread than the loop's.
final class PendingCall: Sendable {
  typealias Answer = Result<BusMessage, BusError>

  private enum State {
    case waiting(CheckedContinuation<Answer, Never>?)
    case answered(Answer)
  }

  private let state = Mutex(State.waiting(nil))

  /// Hands over the answer; only the first counts.
  func finish(_ answer: Answer) {
    let continuation = state.withLock { state -> CheckedContinuation<Answer, Never>? in
      guard case .waiting(let continuation) = state else { return nil }
      state = .answered(answer)
      return continuation
    }
    continuation?.resume(returning: answer)
  }

  /// Takes who waits.
  func wait(_ continuation: CheckedContinuation<Answer, Never>) {
    let answer = state.withLock { state -> Answer? in
      if case .answered(let answer) = state { return answer }
      state = .waiting(continuation)
      return nil
    }
    if let answer { continuation.resume(returning: answer) }
  }
}

extension Bus {
  /// Somebody's object: whom to call.
  struct Peer: Hashable, Sendable {
    /// A unique name or a well-known one.
    var name: String
    /// The object's path.
    var path: String
  }

  /// Calls a method and waits for its answer.
  ///
  /// - Parameters:
  ///   - timeout: how long to wait; as with others 25 seconds unless told.
  ///   - isCancellable: whether the wait ends with the task that waits.
  ///   - fill: adds the arguments.
  /// - Throws: what the other side refused it with; `refused` with `NoReply` after the timeout.
  func call(
    _ peer: Peer, _ interface: String, _ member: String, timeout: Duration = .seconds(25),
    isCancellable: Bool = true, _ fill: (BusMessage) throws(BusError) -> Void = { _ in }
  ) async throws(BusError) -> BusMessage {
    guard isOpen else { throw .disconnected }
    if isCancellable, Task.isCancelled { throw .cancelled }
    let message = try newCall(peer, interface, member)
    try fill(message)

    let call = PendingCall()
    try send(message, call, timeout)
    let result =
      if isCancellable {
        await withTaskCancellationHandler {
          await withCheckedContinuation { call.wait($0) }
        } onCancel: {
          call.finish(.failure(.cancelled))
        }
      } else {
        await withCheckedContinuation { call.wait($0) }
      }
    calls[ObjectIdentifier(call)] = nil
    return try result.get()
  }

  /// Reads a property; `type` is its signature.
  func property<Value>(
    _ name: String, of peer: Peer, _ interface: String, type: String,
    _ read: (BusMessage) throws(BusError) -> Value
  ) async throws(BusError) -> (value: Value, sender: String) {
    let reply = try await call(peer, "org.freedesktop.DBus.Properties", "Get") { message throws(BusError) in
      try message.append(interface)
      try message.append(name)
    }
    let value = try reply.enter(.variant, of: type) { () throws(BusError) in try read(reply) }
    return (value, reply.sender)
  }

  private func newCall(_ peer: Peer, _ interface: String, _ member: String) throws(BusError) -> BusMessage {
    var made: OpaquePointer?
    try BusError.check(
      unsafe sd_bus_message_new_method_call(pointer, &made, peer.name, peer.path, interface, member))
    guard let made = unsafe made else { throw .system(ENOMEM) }
    return unsafe BusMessage(owning: made)
  }

  private func send(_ message: BusMessage, _ call: PendingCall, _ timeout: Duration) throws(BusError) {
    let context = unsafe Unmanaged.passRetained(CallContext(bus: self, call: call))
    let microseconds = UInt64(clamping: timeout / .microseconds(1))
    let code = unsafe sd_bus_call_async(
      pointer, nil, message.pointer,
      { message, context, _ in
        guard let message = unsafe message, let context = unsafe context else { return 0 }
        unsafe Unmanaged<CallContext>.fromOpaque(context).takeRetainedValue().answered(message)
        return 0
      }, context.toOpaque(), microseconds)
    guard code >= 0 else {
      unsafe context.release()
      throw .system(-code)
    }
    calls[ObjectIdentifier(call)] = call
  }
}

/// What libsystemd keeps for a call until it is answered.
private final class CallContext {
  weak var bus: Bus?
  let call: PendingCall

  init(bus: Bus, call: PendingCall) {
    self.bus = bus
    self.call = call
  }

  func answered(_ pointer: OpaquePointer) {
    guard let message = unsafe bus?.receive(pointer) else { return }
    call.finish(message.errorName.map { .failure(.refused(name: $0)) } ?? .success(message))
  }
}

extension Duration {
  /// How many times a span goes into another.
  fileprivate static func / (left: Duration, right: Duration) -> Int64 {
    let nanoseconds = { (span: Duration) in
      span.components.seconds * 1_000_000_000 + span.components.attoseconds / 1_000_000_000
    }
    return nanoseconds(left) / max(nanoseconds(right), 1)
  }
}
