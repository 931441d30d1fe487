import CSystemd
import Glibc

/// Signals of one kind from one sender, until it is let go of. It belongs to the loop's thread.
@safe
final class Subscription: @unchecked Sendable {
  /// Which signals.
  struct Filter {
    /// The unique name of the process that must have sent them, or the bus itself.
    var sender: String
    var path: String?
    var interface: String
    var member: String
    /// What the first argument must be.
    var argument: String?

    fileprivate var rule: String {
      var parts = ["type='signal'", "sender='\(sender)'", "interface='\(interface)'", "member='\(member)'"]
      if let path { parts.append("path='\(path)'") }
      if let argument { parts.append("arg0='\(argument)'") }
      return parts.joined(separator: ",")
    }
  }

  private let filter: Filter
  private let action: (BusMessage) -> Void
  private weak var bus: Bus?
  private let installed = PendingCall()
  private var slot: OpaquePointer?

  fileprivate init(_ filter: Filter, on bus: Bus, _ action: @escaping (BusMessage) -> Void) {
    self.filter = filter
    self.bus = bus
    self.action = action
  }

  deinit {
    bus?.endings[ObjectIdentifier(self)] = nil
    unsafe sd_bus_slot_unref(slot)
  }

  fileprivate func install(on bus: Bus) async throws(BusError) {
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    let code = unsafe sd_bus_add_match_async(
      bus.pointer, &slot, filter.rule,
      { message, context, _ in
        unsafe Subscription.from(context)?.take(message)
        return 0
      },
      { message, context, _ in
        unsafe Subscription.from(context)?.answered(message)
        return 0
      }, context)
    try BusError.check(code)
    bus.calls[ObjectIdentifier(installed)] = installed
    let result = await withCheckedContinuation { installed.wait($0) }
    bus.calls[ObjectIdentifier(installed)] = nil
    _ = try result.get()
  }

  private static func from(_ context: UnsafeMutableRawPointer?) -> Subscription? {
    unsafe context.map { unsafe Unmanaged<Subscription>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Takes a signal that fits, if the very process sent it that was meant: libsystemd lets a unique name pass where a
  /// rule names a well-known one, the bus's own included.
  private func take(_ pointer: OpaquePointer?) {
    guard let pointer = unsafe pointer, let message = unsafe bus?.receive(pointer) else { return }
    guard message.sender == filter.sender else { return }
    action(message)
  }

  private func answered(_ pointer: OpaquePointer?) {
    guard let pointer = unsafe pointer, let message = unsafe bus?.receive(pointer) else { return }
    installed.finish(message.errorName.map { .failure(.refused(name: $0)) } ?? .success(message))
  }
}

extension Bus {
  /// Has an action called for each signal of a kind, once this has returned.
  ///
  /// - Parameter ended: is called where the connection ends before the subscription does.
  func subscribe(
    _ filter: Subscription.Filter, ended: (() -> Void)? = nil, _ action: @escaping (BusMessage) -> Void
  ) async throws(BusError) -> Subscription {
    guard isOpen else { throw .disconnected }
    let subscription = Subscription(filter, on: self, action)
    endings[ObjectIdentifier(subscription)] = ended
    try await subscription.install(on: self)
    return subscription
  }

  /// Has an action called when somebody's name is somebody else's, or nobody's: then the new owner is empty.
  ///
  /// - Parameter name: a unique name or a well-known one.
  func watchOwner(
    of name: String, ended: (() -> Void)? = nil, _ action: @escaping (_ newOwner: String) -> Void
  ) async throws(BusError) -> Subscription {
    let bus = "org.freedesktop.DBus"
    let filter = Subscription.Filter(
      sender: bus, path: "/org/freedesktop/DBus", interface: bus, member: "NameOwnerChanged", argument: name)
    return try await subscribe(filter, ended: ended) { message in
      guard (try? message.skip("ss")) != nil, let owner = try? message.requiredText() else { return }
      action(owner)
    }
  }
}
