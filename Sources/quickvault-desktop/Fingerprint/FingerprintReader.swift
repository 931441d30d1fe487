import JSON
import Glibc
import JSONRPC

/// The default fingerprint reader, as fprintd tells of it.
struct FingerprintReader {
  /// fprintd's names on the bus.
  private static let service = "net.reactivated.Fprint"
  static let interface = service + ".Device"
  private static let errors = service + ".Error."

  let bus: Bus
  /// The very process that told of it, by its unique name, and the reader's path there.
  let peer: Bus.Peer
  /// What its driver calls it.
  let name: String
  /// `press` or `swipe`.
  let scanType: String

  /// Asks for the reader.
  ///
  /// - Throws: ``Availability``, as ``availability(_:)`` gives it.
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

  /// The names of the fingers that the user has enrolled, in order.
  ///
  /// - Throws: ``Availability``: `notEnrolled` where there are none.
  func fingers() async throws(Availability) -> [String] {
    let fingers: [String]
    do {
      fingers = try await call("ListEnrolledFingers", "").texts().sorted()
    } catch {
      throw Self.availability(error)
    }
    guard !fingers.isEmpty else { throw Availability(.notEnrolled) }
    return fingers
  }

  /// Calls a method of the reader whose arguments are text.
  func call(
    _ member: String, _ arguments: String..., timeout: Duration = .seconds(25), heedsCancellation: Bool = true
  ) async throws(BusError) -> BusMessage {
    try await bus.call(
      peer, Self.interface, member, timeout: timeout, heedsCancellation: heedsCancellation
    ) { message throws(BusError) in
      for argument in arguments { try message.append(argument) }
    }
  }

  /// A line that stays the same while the same fingers of the same user are enrolled here.
  func enrollment(of fingers: [String]) -> String {
    "\(getuid())/\(name)/\(fingers.joined(separator: ","))"
  }

  /// What a failed call says of the reader.
  static func availability(_ error: BusError) -> Availability {
    switch error {
    case .refused(name: errors + "NoSuchDevice"): Availability(.noReader)
    case .refused(name: errors + "PermissionDenied"): Availability(.permissionDenied)
    case .refused(name: errors + "NoEnrolledPrints"): Availability(.notEnrolled)
    default: Availability(error, service: "fprintd")
    }
  }

  /// Whether a failed call says that somebody else has claimed the reader.
  static func isBusy(_ error: BusError) -> Bool {
    error == .refused(name: errors + "AlreadyInUse")
  }

  /// The members that tell of it in `desktop/status`.
  var details: [JSON.Member] {
    [.init("reader", .string(name)), .init("scanType", .string(scanType))]
  }
}
