import CSystemd
import Glibc

/// A message on a bus: one that is being written, or one that came in and is read from its beginning to its end.
/// It belongs to the loop's thread.
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

  /// A type whose values are text.
  enum Text: Character {
    case string = "s"
    case objectPath = "o"

    fileprivate var type: CChar { CChar(bitPattern: rawValue.asciiValue ?? 0) }
  }

  /// libsystemd's message, for ``Bus``.
  let pointer: OpaquePointer
  /// The place of a message that came in among all that its connection received; 0 for one that goes out.
  let order: Int

  /// Takes over a reference to a message.
  init(owning pointer: OpaquePointer, order: Int = 0) {
    unsafe self.pointer = pointer
    self.order = order
  }

  deinit {
    unsafe sd_bus_message_unref(pointer)
  }

  /// Has the message's memory wiped when it goes.
  func markSensitive() throws(BusError) {
    try BusError.check(unsafe sd_bus_message_sensitive(pointer))
  }

  /// The unique name of who sent it, as the bus wrote it down.
  var sender: String {
    unsafe sd_bus_message_get_sender(pointer).map { unsafe String(cString: $0) } ?? ""
  }

  /// The name of the error that it is; nil where it is none.
  var errorName: String? {
    guard let error = unsafe sd_bus_message_get_error(pointer) else { return nil }
    return unsafe error.pointee.name.map { unsafe String(cString: $0) } ?? ""
  }
}

// MARK: Writing

extension BusMessage {
  /// Adds text, which holds no NUL.
  func append(_ value: String, as type: Text = .string) throws(BusError) {
    try BusError.check(
      unsafe value.withCString { unsafe sd_bus_message_append_basic(pointer, type.type, $0) })
  }

  /// Adds a boolean.
  func append(_ value: Bool) throws(BusError) {
    var number: Int32 = value ? 1 : 0
    try BusError.check(unsafe sd_bus_message_append_basic(pointer, CChar(UInt8(ascii: "b")), &number))
  }

  /// Adds a number without a sign (D-Bus type `u`).
  func append(_ value: UInt32) throws(BusError) {
    var number = value
    try BusError.check(unsafe sd_bus_message_append_basic(pointer, CChar(UInt8(ascii: "u")), &number))
  }

  /// Adds an array of bytes.
  func append(_ bytes: UnsafeRawBufferPointer) throws(BusError) {
    let type = CChar(UInt8(ascii: "y"))
    try BusError.check(unsafe sd_bus_message_append_array(pointer, type, bytes.baseAddress, bytes.count))
  }

  /// Adds a container, whose contents `body` adds.
  func append(
    _ container: Container, of contents: String, _ body: () throws(BusError) -> Void
  ) throws(BusError) {
    try BusError.check(unsafe sd_bus_message_open_container(pointer, container.type, contents))
    try body()
    try BusError.check(unsafe sd_bus_message_close_container(pointer))
  }
}

// MARK: Reading

extension BusMessage {
  /// Reads text; nil at the end of the container that is being read.
  func text(_ type: Text = .string) throws(BusError) -> String? {
    var value: UnsafePointer<CChar>?
    guard try BusError.check(unsafe sd_bus_message_read_basic(pointer, type.type, &value)) > 0 else {
      return nil
    }
    return unsafe value.map { unsafe String(cString: $0) }
  }

  /// Reads text that must be there.
  func requiredText(_ type: Text = .string) throws(BusError) -> String {
    guard let text = try text(type) else { throw .system(ENXIO) }
    return text
  }

  /// Reads a boolean that must be there.
  func flag() throws(BusError) -> Bool {
    var value: Int32 = 0
    let code = unsafe sd_bus_message_read_basic(pointer, CChar(UInt8(ascii: "b")), &value)
    guard try BusError.check(code) > 0 else { throw .system(ENXIO) }
    return value != 0
  }

  /// Reads a descriptor and makes it the caller's own, which closes on exec.
  func descriptor() throws(BusError) -> Int32 {
    var value: Int32 = -1
    let code = unsafe sd_bus_message_read_basic(pointer, CChar(UInt8(ascii: "h")), &value)
    guard try BusError.check(code) > 0 else { throw .system(ENXIO) }
    let copy = fcntl(value, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { throw .system(errno) }
    return copy
  }

  /// Lends an array of bytes for the time of the call.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) throws(BusError) -> Result {
    var bytes: UnsafeRawPointer?
    var count = 0
    let code = unsafe sd_bus_message_read_array(pointer, CChar(UInt8(ascii: "y")), &bytes, &count)
    guard try BusError.check(code) > 0 else { throw .system(ENXIO) }
    return unsafe body(UnsafeRawBufferPointer(start: bytes, count: count))
  }

  /// Enters a container, has `body` read it, and leaves it.
  func enter<Result>(
    _ container: Container, of contents: String, _ body: () throws(BusError) -> Result
  ) throws(BusError) -> Result {
    let code = unsafe sd_bus_message_enter_container(pointer, container.type, contents)
    guard try BusError.check(code) > 0 else { throw .system(ENXIO) }
    let result = try body()
    try BusError.check(unsafe sd_bus_message_exit_container(pointer))
    return result
  }

  /// Enters each container of an array's, until there is none left.
  func enterEach(
    _ container: Container, of contents: String, _ body: () throws(BusError) -> Void
  ) throws(BusError) {
    while try BusError.check(unsafe sd_bus_message_enter_container(pointer, container.type, contents)) > 0 {
      try body()
      try BusError.check(unsafe sd_bus_message_exit_container(pointer))
    }
  }

  /// Reads an array of text.
  func texts(_ type: Text = .string) throws(BusError) -> [String] {
    try enter(.array, of: String(type.rawValue)) { () throws(BusError) in
      var texts: [String] = []
      while let text = try text(type) { texts.append(text) }
      return texts
    }
  }

  /// Passes over values of these types.
  func skip(_ types: String) throws(BusError) {
    try BusError.check(unsafe sd_bus_message_skip(pointer, types))
  }
}
