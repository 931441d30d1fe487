import CSystemd
import Glibc
import Synchronization

/// A pending method call; its result can be awaited on any thread.
final class PendingCall: Sendable {
  typealias Outcome = Result<BusMessage, BusError>

  private enum State {
    case waiting(CheckedContinuation<Outcome, Never>?)
    case finished(Outcome)
  }

  private let state = Mutex(State.waiting(nil))

  /// Sets the outcome; later ones are ignored.
  func finish(_ outcome: Outcome) {
    let continuation = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
      guard case .waiting(let continuation) = state else { return nil }
      state = .finished(outcome)
      return continuation
    }
    continuation?.resume(returning: outcome)
  }

  /// Resumes `continuation` when the outcome is known.
  func wait(_ continuation: CheckedContinuation<Outcome, Never>) {
    let outcome = state.withLock { state -> Outcome? in
      if case .finished(let outcome) = state { return outcome }
      state = .waiting(continuation)
      return nil
    }
    if let outcome { continuation.resume(returning: outcome) }
  }
}

extension Bus {
  /// The destination of a call: an object of a service.
  struct Peer: Hashable, Sendable {
    /// A unique name or a well-known one.
    var name: String
    var path: String
  }

  /// Calls a method and waits for its reply.
  ///
  /// - Parameters:
  ///   - timeout: by default D-Bus's usual 25 seconds.
  ///   - isCancellable: whether cancelling the task ends the wait.
  ///   - fill: appends the arguments.
  /// - Throws: ``BusError``; after the timeout `failed` with the name `NoReply`.
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

  /// Reads a property with the signature `type`, and returns it with the sender's unique name.
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
        unsafe Unmanaged<CallContext>.fromOpaque(context).takeRetainedValue().receive(message)
        return 0
      }, context.toOpaque(), microseconds)
    guard code >= 0 else {
      unsafe context.release()
      throw .system(-code)
    }
    calls[ObjectIdentifier(call)] = call
  }

  /// Returns the unique name that owns a well-known name, without starting a service.
  func owner(of name: String) async throws(BusError) -> String {
    let bus = Peer(name: "org.freedesktop.DBus", path: "/org/freedesktop/DBus")
    let reply = try await call(bus, "org.freedesktop.DBus", "GetNameOwner") { message throws(BusError) in
      try message.append(name)
    }
    return try reply.requiredText()
  }
}

/// The callback context of a call.
private final class CallContext {
  weak var bus: Bus?
  let call: PendingCall

  init(bus: Bus, call: PendingCall) {
    self.bus = bus
    self.call = call
  }

  func receive(_ pointer: OpaquePointer) {
    guard let message = unsafe bus?.receive(pointer) else { return }
    call.finish(message.errorName.map { .failure(.failed(name: $0)) } ?? .success(message))
  }
}

extension Duration {
  fileprivate static func / (left: Duration, right: Duration) -> Int64 {
    let nanoseconds = { (span: Duration) in
      span.components.seconds * 1_000_000_000 + span.components.attoseconds / 1_000_000_000
    }
    return nanoseconds(left) / max(nanoseconds(right), 1)
  }
}

/// The failure of a bus call.
enum BusError: Error, Hashable {
  /// The service, or the bus in its place, replied with an error of this name.
  case failed(name: String)
  /// libsystemd returned an error number (errno(3)).
  case system(Int32)
  case disconnected
  /// The task was cancelled.
  case cancelled

  /// Whether the service does not run and cannot be started.
  var isServiceMissing: Bool {
    guard case .failed(let name) = self else { return false }
    let bus = "org.freedesktop.DBus.Error."
    return [
      bus + "ServiceUnknown", bus + "NameHasNoOwner", "org.freedesktop.systemd1.NoSuchUnit",
      "org.freedesktop.systemd1.UnitMasked",
    ].contains(name) || name.hasPrefix(bus + "Spawn.")
  }

  /// Throws if a function of libsystemd returned a negative error number.
  @discardableResult static func check(_ code: Int32) throws(BusError) -> Int32 {
    guard code >= 0 else { throw .system(-code) }
    return code
  }
}
