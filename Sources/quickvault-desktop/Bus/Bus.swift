import CSystemd
import Glibc
import Wire

/// A connection to a message bus, served by the event loop.
///
/// It is used on the loop's thread only, which makes it safe to send.
@safe
final class Bus: @unchecked Sendable {
  enum Kind {
    /// The bus of fprintd and logind.
    case system
    /// The user's bus, with the keychain.
    case session
  }

  let pointer: OpaquePointer
  /// The calls that wait for a reply.
  var calls: [ObjectIdentifier: PendingCall] = [:]
  /// The subscribers' actions for the end of the connection.
  var endHandlers: [ObjectIdentifier: () -> Void] = [:]
  private(set) var isOpen = true

  private let loop: EventLoop
  private let input: Int32
  private let output: Int32
  private let timer: LoopTimer
  private var isTimerSet = false
  private var wantsToWrite = false
  private var received = 0

  /// - Throws: `system` if there is no such bus.
  init(_ kind: Kind, on loop: EventLoop) throws(BusError) {
    var opened: OpaquePointer?
    try BusError.check(
      kind == .system ? unsafe sd_bus_open_system(&opened) : unsafe sd_bus_open_user(&opened))
    guard let opened = unsafe opened else { throw .system(ENOTCONN) }
    unsafe pointer = opened
    self.loop = loop
    input = unsafe sd_bus_get_fd(opened)
    // The loop allows one action for each descriptor, and reading and writing need two.
    output = fcntl(input, F_DUPFD_CLOEXEC, 3)
    let reference = WeakBus()
    guard output >= 0, let timer = try? LoopTimer(on: loop, { reference.bus?.process() }) else {
      throw .system(EMFILE)
    }
    self.timer = timer
    reference.bus = self
    loop.watch(input, for: .reading) { reference.bus?.process() }
  }

  deinit {
    end()
    if output >= 0 { close(output) }
    unsafe sd_bus_unref(pointer)
  }

  /// Numbers a received message.
  func receive(_ message: OpaquePointer) -> BusMessage {
    received += 1
    return unsafe BusMessage(owning: sd_bus_message_ref(message), order: received)
  }

  /// Handles received messages, sends queued ones, and registers with the loop for the rest. Call it before the loop waits.
  func process() {
    var code: Int32 = 1
    while isOpen, code > 0 {
      code = unsafe sd_bus_process(pointer, nil)
      let isAlive = unsafe sd_bus_is_open(pointer) > 0
      if code < 0 || !isAlive { end() }
    }
    guard isOpen else { return }
    watchOutput(unsafe sd_bus_get_events(pointer) & Int32(POLLOUT) != 0)
    setTimer()
  }

  private func watchOutput(_ wants: Bool) {
    guard wants != wantsToWrite else { return }
    wantsToWrite = wants
    if wants {
      loop.watch(output, for: .writing) { [weak self] in self?.process() }
    } else {
      loop.unwatch(output)
    }
  }

  private func setTimer() {
    var next: UInt64 = .max
    guard unsafe sd_bus_get_timeout(pointer, &next) >= 0, next != .max || isTimerSet else { return }
    isTimerSet = next != .max
    guard isTimerSet else { return timer.cancel() }
    var now = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &now)
    let left = Int64(clamping: next) - Int64(now.tv_sec) * 1_000_000 - Int64(now.tv_nsec) / 1_000
    timer.set(after: .microseconds(left))
  }

  /// Closes the connection; pending calls fail and subscribers are informed.
  private func end() {
    guard isOpen else { return }
    isOpen = false
    loop.unwatch(input)
    loop.unwatch(output)
    timer.cancel()
    unsafe sd_bus_close(pointer)
    let (calls, endHandlers) = (calls.values, endHandlers.values)
    self.calls = [:]
    self.endHandlers = [:]
    for call in calls { call.finish(.failure(.disconnected)) }
    for handler in endHandlers { handler() }
  }
}

/// A weak reference that can be captured before the bus is initialized.
private final class WeakBus: @unchecked Sendable {
  weak var bus: Bus?
}
