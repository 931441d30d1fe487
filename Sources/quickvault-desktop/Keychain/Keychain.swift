import Glibc
import HelperProtocols
import Wire

/// The desktop's keychain: a Secret Service, by the unique name of the process that answered.
///
/// The specification: https://specifications.freedesktop.org/secret-service-spec/0.2/
struct Keychain {
  static let interface = "org.freedesktop.Secret."
  private static let service = "org.freedesktop.secrets"

  let bus: Bus
  /// The service's unique name and path.
  let peer: Bus.Peer
  /// The default collection's path; nil if there is none.
  let collection: String?

  /// Finds the keychain, starting it if possible.
  ///
  /// - Throws: ``Availability``.
  init(on bus: Bus) async throws(Availability) {
    do {
      let service = Bus.Peer(name: Self.service, path: "/org/freedesktop/secrets")
      let reply = try await bus.call(service, Self.interface + "Service", "ReadAlias") {
        message throws(BusError) in try message.append("default")
      }
      let path = try reply.requiredText(.objectPath)
      self.bus = bus
      peer = Bus.Peer(name: reply.sender, path: service.path)
      collection = path == "/" ? nil : path
    } catch {
      throw Availability(error, service: "gnome-keyring")
    }
  }

  /// Returns whether the default collection exists and is unlocked.
  func availability() async -> Availability {
    guard let collection else { return Availability(.noCollection) }
    do {
      return Availability(try await isLocked(collection, Self.interface + "Collection") ? .locked : .ready)
    } catch {
      return Availability(.failed)
    }
  }

  /// Returns whether a collection or an item is locked.
  func isLocked(_ path: String, _ interface: String) async throws(BusError) -> Bool {
    try await bus.property("Locked", of: object(path), interface, type: "b") {
      message throws(BusError) in try message.boolean()
    }.value
  }

  func object(_ path: String) -> Bus.Peer {
    Bus.Peer(name: peer.name, path: path)
  }

  /// Calls a method of the Service interface.
  func call(
    _ member: String, _ fill: (BusMessage) throws(BusError) -> Void
  ) async throws(BusError) -> BusMessage {
    try await bus.call(peer, Self.interface + "Service", member, fill)
  }

  /// Opens a session without encryption; protocol/DESKTOP.md explains why.
  ///
  /// - Returns: the session's path; it ends with the connection.
  func openSession() async throws(BusError) -> String {
    let reply = try await call("OpenSession") { message throws(BusError) in
      try message.append("plain")
      try message.append(.variant, of: "s") { () throws(BusError) in try message.append("") }
    }
    try reply.skip("v")
    return try reply.requiredText(.objectPath)
  }
}

/// The item's attributes in the Secret Service.
extension KeychainItem {
  private var attributes: [(String, String)] {
    [("device", device), ("vault", vault), ("xdg:schema", schema)]
  }

  private var schema: String {
    switch purpose {
    case .device: "org.quickvault.Device"
    case .account: "org.quickvault.Account"
    }
  }

  /// Appends the attributes.
  func append(to message: BusMessage) throws(BusError) {
    try message.append(.array, of: "{ss}") { () throws(BusError) in
      for (name, value) in attributes {
        try message.append(.dictionaryEntry, of: "ss") { () throws(BusError) in
          try message.append(name)
          try message.append(value)
        }
      }
    }
  }

  /// Appends the properties of a new item.
  func appendProperties(to message: BusMessage, label: String) throws(BusError) {
    func property(
      _ name: String, _ type: String, _ value: () throws(BusError) -> Void
    ) throws(BusError) {
      try message.append(.dictionaryEntry, of: "sv") { () throws(BusError) in
        try message.append(Keychain.interface + "Item." + name)
        try message.append(.variant, of: type, value)
      }
    }
    try message.append(.array, of: "{sv}") { () throws(BusError) in
      try property("Label", "s") { () throws(BusError) in try message.append(label) }
      try property("Attributes", "a{ss}") { () throws(BusError) in try append(to: message) }
    }
  }
}

/// A secret of the keychain, wiped when released.
@safe
final class KeychainSecret: @unchecked Sendable {
  private let memory: UnsafeMutableRawBufferPointer
  private let count: Int

  private init(capacity: Int, count: Int) {
    unsafe memory = .allocate(byteCount: capacity, alignment: 1)
    self.count = count
  }

  deinit {
    if let start = unsafe memory.baseAddress { unsafe explicit_bzero(start, memory.count) }
    unsafe memory.deallocate()
  }

  /// Copies bytes; nil for a number that the purpose does not allow.
  convenience init?(copying bytes: UnsafeRawBufferPointer, for purpose: KeychainItem.Purpose) {
    guard purpose.allowedCounts.contains(bytes.count) else { return nil }
    self.init(capacity: bytes.count, count: bytes.count)
    unsafe memory.copyMemory(from: bytes)
  }

  /// Decodes canonical Base64 (RFC 4648, section 4); nil for anything else.
  convenience init?(base64 text: String, for purpose: KeychainItem.Purpose) {
    let (digits, capacity) = (text.utf8.count, Base64.decodedCount(text.utf8.count))
    guard digits % 4 == 0, digits <= Base64.encodedCount(purpose.allowedCounts.upperBound) else { return nil }
    self.init(
      capacity: capacity, count: digits / 4 * 3 - text.utf8.suffix(2).count { $0 == UInt8(ascii: "=") })
    var bytes = unsafe MutableRawSpan(_unsafeBytes: memory)
    guard purpose.allowedCounts.contains(count), Base64.decode(text, into: &bytes) == count, base64 == text
    else { return nil }
  }

  var base64: String { unsafe withBytes { unsafe Base64.encode(RawSpan(_unsafeBytes: $0)) } }

  func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe body(UnsafeRawBufferPointer(rebasing: memory[..<count]))
  }
}

extension KeychainItem.Purpose {
  /// How many bytes a secret may have.
  fileprivate var allowedCounts: ClosedRange<Int> {
    switch self {
    case .device: 32...32
    case .account: 1...65_536
    }
  }
}
