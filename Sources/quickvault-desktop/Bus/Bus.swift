import EventLoop
import CSystemd
import Glibc

/// A connection to a message bus, which the program's loop serves.
///
/// Like the loop it belongs to the thread that runs it, which is what makes it safe to send.
@safe
final class Bus: @unchecked Sendable {
  /// One of the two buses of a desktop.
  enum Kind {
    /// fprintd and logind are on it.
    case system
    /// The user's own, with the keychain.
    case session
  }

  /// libsystemd's connection.
  let pointer: OpaquePointer
  /// The calls that wait for an answer.
  var calls: [ObjectIdentifier: PendingCall] = [:]
  /// What is to be done when the connection ends, by who wants it.
  var endings: [ObjectIdentifier: () -> Void] = [:]
  private(set) var isOpen = true

  private let loop: EventLoop
  private let input: Int32
  private let output: Int32
  private let alarm: LoopTimer
  private var isAlarmSet = false
  private var wantsToWrite = false
  private var received = 0

  /// Connects to a bus.
  ///
  /// - Throws: `system` where there is none.
  init(_ kind: Kind, on loop: EventLoop) throws(BusError) {
    var opened: OpaquePointer?
    try BusError.check(
      kind == .system ? unsafe sd_bus_open_system(&opened) : unsafe sd_bus_open_user(&opened))
    guard let opened = unsafe opened else { throw .system(ENOTCONN) }
    unsafe pointer = opened
    self.loop = loop
    input = unsafe sd_bus_get_fd(opened)
    // The loop has one action for a descriptor, and this connection waits for two things.
    output = fcntl(input, F_DUPFD_CLOEXEC, 3)
    let weakly = WeakBus()
    guard output >= 0, let alarm = try? LoopTimer(on: loop, { weakly.bus?.process() }) else {
      throw .system(EMFILE)
    }
    self.alarm = alarm
    weakly.bus = self
    loop.watch(input, for: .reading) { weakly.bus?.process() }
  }

  deinit {
    end()
    if output >= 0 { close(output) }
    unsafe sd_bus_unref(pointer)
  }

  /// Counts a message that came in and gives it with its place.
  func receive(_ message: OpaquePointer) -> BusMessage {
    received += 1
    return unsafe BusMessage(owning: sd_bus_message_ref(message), order: received)
  }

  /// Takes what has come in, sends what waits, and sees to it that the loop comes back for the rest. To be called
  /// before the loop waits.
  func process() {
    var code: Int32 = 1
    while isOpen, code > 0 {
      code = unsafe sd_bus_process(pointer, nil)
      let isAlive = unsafe sd_bus_is_open(pointer) > 0
      if code < 0 || !isAlive { end() }
    }
    guard isOpen else { return }
    watchOutput(unsafe sd_bus_get_events(pointer) & Int32(POLLOUT) != 0)
    setAlarm()
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

  private func setAlarm() {
    var next: UInt64 = .max
    guard unsafe sd_bus_get_timeout(pointer, &next) >= 0, next != .max || isAlarmSet else { return }
    isAlarmSet = next != .max
    guard isAlarmSet else { return alarm.cancel() }
    var now = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &now)
    let left = Int64(clamping: next) - Int64(now.tv_sec) * 1_000_000 - Int64(now.tv_nsec) / 1_000
    alarm.set(after: .microseconds(left))
  }

  /// Ends the connection and tells everybody who waits.
  private func end() {
    guard isOpen else { return }
    isOpen = false
    loop.unwatch(input)
    loop.unwatch(output)
    alarm.cancel()
    unsafe sd_bus_close(pointer)
    let (calls, endings) = (calls.values, endings.values)
    self.calls = [:]
    self.endings = [:]
    for call in calls { call.finish(.failure(.disconnected)) }
    for ending in endings { ending() }
  }
}

/// A reference to a bus that does not keep it, for what is made before the bus is.
private final class WeakBus: @unchecked Sendable {
  weak var bus: Bus?
}
