import CSystemd
import Glibc

/// A D-Bus message that is being written, or is read from its beginning to its end. Used on the loop's thread only.
@safe
final class BusMessage: @unchecked Sendable {
  /// A container of the D-Bus type system.
  enum Container: Character {
    case array = "a"
    case variant = "v"
    case structure = "r"
    case dictionaryEntry = "e"

    fileprivate var type: CChar { CChar(bitPattern: rawValue.asciiValue ?? 0) }
  }

  /// A D-Bus type with string values.
  enum Text: Character {
    case string = "s"
    case objectPath = "o"

    fileprivate var type: CChar { CChar(bitPattern: rawValue.asciiValue ?? 0) }
  }

  let pointer: OpaquePointer
  /// The number of a received message on its connection; 0 for an outgoing one.
  let order: Int

  /// Takes ownership of a reference.
  init(owning pointer: OpaquePointer, order: Int = 0) {
    unsafe self.pointer = pointer
    self.order = order
  }

  deinit {
    unsafe sd_bus_message_unref(pointer)
  }

  /// Wipes the message's memory when it is freed.
  func markSensitive() throws(BusError) {
    try BusError.check(unsafe sd_bus_message_sensitive(pointer))
  }

  /// The sender's unique name, which the bus guarantees.
  var sender: String {
    unsafe sd_bus_message_get_sender(pointer).map { unsafe String(cString: $0) } ?? ""
  }

  /// The error's name; nil if the message is no error.
  var errorName: String? {
    guard let error = unsafe sd_bus_message_get_error(pointer) else { return nil }
    return unsafe error.pointee.name.map { unsafe String(cString: $0) } ?? ""
  }

  /// Appends text, which must not contain NUL.
  func append(_ value: String, as type: Text = .string) throws(BusError) {
    try BusError.check(
      unsafe value.withCString { unsafe sd_bus_message_append_basic(pointer, type.type, $0) })
  }

  func append(_ value: Bool) throws(BusError) {
    var number: Int32 = value ? 1 : 0
    try BusError.check(unsafe sd_bus_message_append_basic(pointer, CChar(UInt8(ascii: "b")), &number))
  }

  /// Appends a UINT32.
  func append(_ value: UInt32) throws(BusError) {
    var number = value
    try BusError.check(unsafe sd_bus_message_append_basic(pointer, CChar(UInt8(ascii: "u")), &number))
  }

  func append(_ bytes: UnsafeRawBufferPointer) throws(BusError) {
    let type = CChar(UInt8(ascii: "y"))
    try BusError.check(unsafe sd_bus_message_append_array(pointer, type, bytes.baseAddress, bytes.count))
  }

  /// Appends a container; `body` appends its contents.
  func append(
    _ container: Container, of contents: String, _ body: () throws(BusError) -> Void
  ) throws(BusError) {
    try BusError.check(unsafe sd_bus_message_open_container(pointer, container.type, contents))
    try body()
    try BusError.check(unsafe sd_bus_message_close_container(pointer))
  }
}

// MARK: Writing

// MARK: Reading

extension BusMessage {
  /// Reads text; nil at the end of the container.
  func text(_ type: Text = .string) throws(BusError) -> String? {
    var value: UnsafePointer<CChar>?
    guard try BusError.check(unsafe sd_bus_message_read_basic(pointer, type.type, &value)) > 0 else {
      return nil
    }
    return unsafe value.map { unsafe String(cString: $0) }
  }

  func requiredText(_ type: Text = .string) throws(BusError) -> String {
    guard let text = try text(type) else { throw .system(ENXIO) }
    return text
  }

  func boolean() throws(BusError) -> Bool {
    var value: Int32 = 0
    let code = unsafe sd_bus_message_read_basic(pointer, CChar(UInt8(ascii: "b")), &value)
    guard try BusError.check(code) > 0 else { throw .system(ENXIO) }
    return value != 0
  }

  /// Reads a descriptor and returns a close-on-exec duplicate, which the caller must close.
  func descriptor() throws(BusError) -> Int32 {
    var value: Int32 = -1
    let code = unsafe sd_bus_message_read_basic(pointer, CChar(UInt8(ascii: "h")), &value)
    guard try BusError.check(code) > 0 else { throw .system(ENXIO) }
    let copy = fcntl(value, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { throw .system(errno) }
    return copy
  }

  /// Reads an array of bytes, valid during the call of `body`.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) throws(BusError) -> Result {
    var bytes: UnsafeRawPointer?
    var count = 0
    let code = unsafe sd_bus_message_read_array(pointer, CChar(UInt8(ascii: "y")), &bytes, &count)
    guard try BusError.check(code) > 0 else { throw .system(ENXIO) }
    return unsafe body(UnsafeRawBufferPointer(start: bytes, count: count))
  }

  /// Reads a container with `body`.
  func enter<Result>(
    _ container: Container, of contents: String, _ body: () throws(BusError) -> Result
  ) throws(BusError) -> Result {
    let code = unsafe sd_bus_message_enter_container(pointer, container.type, contents)
    guard try BusError.check(code) > 0 else { throw .system(ENXIO) }
    let result = try body()
    try BusError.check(unsafe sd_bus_message_exit_container(pointer))
    return result
  }

  /// Reads each container of an array with `body`.
  func forEachContainer(
    _ container: Container, of contents: String, _ body: () throws(BusError) -> Void
  ) throws(BusError) {
    while try BusError.check(unsafe sd_bus_message_enter_container(pointer, container.type, contents)) > 0 {
      try body()
      try BusError.check(unsafe sd_bus_message_exit_container(pointer))
    }
  }

  func texts(_ type: Text = .string) throws(BusError) -> [String] {
    try enter(.array, of: String(type.rawValue)) { () throws(BusError) in
      var texts: [String] = []
      while let text = try text(type) { texts.append(text) }
      return texts
    }
  }

  /// Skips values of these types.
  func skip(_ types: String) throws(BusError) {
    try BusError.check(unsafe sd_bus_message_skip(pointer, types))
  }
}
