import CSystemd
import Glibc

/// A subscription to the signals of one sender; releasing it ends it. Used on the loop's thread only.
@safe
final class Subscription: @unchecked Sendable {
  struct Filter {
    /// The sender's unique name, or the name of the bus itself.
    var sender: String
    var path: String?
    var interface: String
    var member: String
    /// The first argument's value.
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
    (self.filter, self.bus, self.action) = (filter, bus, action)
  }

  deinit {
    bus?.endHandlers[ObjectIdentifier(self)] = nil
    unsafe sd_bus_slot_unref(slot)
  }

  fileprivate func install(on bus: Bus) async throws(BusError) {
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    let code = unsafe sd_bus_add_match_async(
      bus.pointer, &slot, filter.rule,
      { message, context, _ in
        unsafe Subscription.from(context)?.receive(message)
        return 0
      },
      { message, context, _ in
        unsafe Subscription.from(context)?.finishInstalling(message)
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

  /// Drops forged signals: libsystemd accepts any unique name for a rule with a well-known one, the bus's own included.
  private func receive(_ pointer: OpaquePointer?) {
    guard let pointer = unsafe pointer, let message = unsafe bus?.receive(pointer) else { return }
    guard message.sender == filter.sender else { return }
    action(message)
  }

  private func finishInstalling(_ pointer: OpaquePointer?) {
    guard let pointer = unsafe pointer, let message = unsafe bus?.receive(pointer) else { return }
    installed.finish(message.errorName.map { .failure(.failed(name: $0)) } ?? .success(message))
  }
}

extension Bus {
  /// Calls `action` for each matching signal that arrives after this method returns.
  ///
  /// - Parameter ended: called if the connection ends before the subscription.
  func subscribe(
    _ filter: Subscription.Filter, ended: (() -> Void)? = nil, _ action: @escaping (BusMessage) -> Void
  ) async throws(BusError) -> Subscription {
    guard isOpen else { throw .disconnected }
    let subscription = Subscription(filter, on: self, action)
    endHandlers[ObjectIdentifier(subscription)] = ended
    try await subscription.install(on: self)
    return subscription
  }

  /// Calls `action` when the owner of a name changes; the new owner is empty if there is none.
  ///
  /// - Parameter name: a unique or well-known name.
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
