import Glibc
import HelperProtocols

/// fprintd's default fingerprint reader.
struct FingerprintReader {
  private static let service = "net.reactivated.Fprint"
  static let interface = service + ".Device"
  private static let errors = service + ".Error."

  let bus: Bus
  /// fprintd's unique name, and the reader's path.
  let peer: Bus.Peer
  let name: String
  /// `press` or `swipe`.
  let scanType: String

  /// - Throws: ``Availability``, as from ``availability(_:)``.
  init(on bus: Bus) async throws(Availability) {
    do {
      let manager = Bus.Peer(name: Self.service, path: "/net/reactivated/Fprint/Manager")
      let reply = try await bus.call(manager, Self.service + ".Manager", "GetDefaultDevice")
      let peer = Bus.Peer(name: reply.sender, path: try reply.requiredText(.objectPath))
      func property(_ name: String) async throws(BusError) -> String {
        try await bus.property(name, of: peer, Self.interface, type: "s") { message throws(BusError) in
          try message.requiredText()
        }.value
      }
      self.bus = bus
      self.peer = peer
      name = try await property("name")
      scanType = try await property("scan-type")
    } catch {
      throw Self.availability(error)
    }
  }

  /// Returns the names of the user's enrolled fingers, sorted.
  ///
  /// - Throws: ``Availability``: `notEnrolled` if there are none.
  func enrolledFingers() async throws(Availability) -> [String] {
    let fingers: [String]
    do {
      fingers = try await call("ListEnrolledFingers", "").texts().sorted()
    } catch {
      throw Self.availability(error)
    }
    guard !fingers.isEmpty else { throw Availability(.notEnrolled) }
    return fingers
  }

  /// Calls a method with string arguments.
  func call(
    _ member: String, _ arguments: String..., timeout: Duration = .seconds(25), isCancellable: Bool = true
  ) async throws(BusError) -> BusMessage {
    try await bus.call(
      peer, Self.interface, member, timeout: timeout, isCancellable: isCancellable
    ) { message throws(BusError) in
      for argument in arguments { try message.append(argument) }
    }
  }

  /// Returns a line that identifies the user, the reader and the enrolled fingers.
  func enrollment(of fingers: [String]) -> String {
    "\(getuid())/\(name)/\(fingers.joined(separator: ","))"
  }

  /// Interprets a failed call.
  static func availability(_ error: BusError) -> Availability {
    switch error {
    case .failed(name: errors + "NoSuchDevice"): Availability(.noReader)
    case .failed(name: errors + "PermissionDenied"): Availability(.permissionDenied)
    case .failed(name: errors + "NoEnrolledPrints"): Availability(.notEnrolled)
    default: Availability(error, service: "fprintd")
    }
  }

  /// Returns whether a call failed because another program has claimed the reader.
  static func isBusy(_ error: BusError) -> Bool {
    error == .failed(name: errors + "AlreadyInUse")
  }

  func status(_ availability: Availability) -> DesktopStatus.Part {
    var part = DesktopStatus.Part(availability)
    part.reader = name
    part.scanType = scanType
    return part
  }
}
