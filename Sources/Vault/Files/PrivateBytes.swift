import Glibc

/// Bytes that a person gave or asked for, such as an attachment's: in pages of their own, which are zeroed and given back
/// to the system when the last reference goes.
///
/// The creator fills them, and from then on they are only read: that makes the class safe to send. Nothing that
/// prints or reflects a value shows more than the count.
@safe
public final class PrivateBytes: @unchecked Sendable {
  /// The number of bytes.
  public private(set) var count = 0
  /// The largest possible count. Unused capacity takes no memory.
  public let capacity: Int

  private let start: UnsafeMutableRawPointer

  /// Reserves capacity; nil if the system has no memory left.
  public init?(capacity: Int) {
    let mapping = unsafe mmap(
      nil, max(capacity, 1), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    guard capacity >= 0, let mapping = unsafe mapping, unsafe mapping != MAP_FAILED else { return nil }
    unsafe start = mapping
    self.capacity = capacity
  }

  deinit {
    unsafe explicit_bzero(start, count)
    unsafe munmap(start, max(capacity, 1))
  }

  /// Calls `body` with the bytes. Copies that `body` makes are not wiped.
  public func withSpan<Result, Failure: Error>(
    _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let span = unsafe UnsafeRawBufferPointer(start: start, count: count).bytes
    return try body(span)
  }

  // MARK: Filling

  /// Makes room for exactly `count` more bytes and lets `fill` write them. When it throws, they are none of these bytes.
  ///
  /// - Precondition: there is room for them.
  public func append<Failure: Error>(
    count added: Int, filledBy fill: (inout MutableRawSpan) throws(Failure) -> Void
  ) throws(Failure) {
    precondition(added >= 0 && added <= capacity - count, "more bytes than there is room for")
    var span = unsafe UnsafeMutableRawBufferPointer(start: start + count, count: added).mutableBytes
    do {
      try fill(&span)
    } catch {
      unsafe explicit_bzero(start + count, added)
      throw error
    }
    count += added
  }

  /// Appends bytes up to the capacity.
  public func append(_ bytes: RawSpan) {
    append(count: min(bytes.byteCount, capacity - count)) { target in
      unsafe target.withUnsafeMutableBytes { target in
        unsafe bytes.extracting(first: target.count).withUnsafeBytes { unsafe target.copyMemory(from: $0) }
      }
    }
  }

  /// Removes and wipes bytes at the end.
  public func removeLast(_ dropped: Int) {
    let dropped = min(max(dropped, 0), count)
    count -= dropped
    unsafe explicit_bzero(start + count, dropped)
  }

  /// Appends bytes up to the capacity.
  public func append(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe append($0.bytes) }
  }

  /// Returns a copy of the first bytes, at most `limit`.
  public func prefix(_ limit: Int) -> [UInt8] {
    withSpan { span in unsafe span.extracting(first: min(limit, count)).withUnsafeBytes { unsafe [UInt8]($0) }
    }
  }

  /// Reads from a descriptor to the end of these bytes, once.
  ///
  /// - Parameter limit: how many at the most; no more than there is room for.
  /// - Returns: what read(2) returns, which leaves errno as it does.
  public func read(from descriptor: Int32, upTo limit: Int = .max) -> Int {
    let room = unsafe UnsafeMutableRawBufferPointer(start: start + count, count: min(limit, capacity - count))
    let read = unsafe Glibc.read(descriptor, room.baseAddress, room.count)
    count += max(read, 0)
    return read
  }

  /// Writes to a descriptor, once.
  ///
  /// - Parameter position: how many bytes have been written before.
  /// - Returns: what write(2) returns, which leaves errno as it does.
  public func write(to descriptor: Int32, from position: Int) -> Int {
    let rest = unsafe UnsafeRawBufferPointer(start: start + position, count: count - position)
    return unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
  }
}

extension PrivateBytes: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// `PrivateBytes(1024)`: the count and nothing else.
  public var description: String { "PrivateBytes(\(count))" }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// A mirror without children, so that `dump` shows the count and nothing else.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
