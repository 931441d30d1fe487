import Glibc

/// Memory that records are opened into, one after another, so that reading many allocates nothing for each.
///
/// It grows as records need it. ``wipe()`` zeroes everything that was ever in it since the last wipe; it is wiped, too,
/// when it grows, when a record does not open, and when it is freed. It belongs to one thread at a time.
@safe
public final class PlaintextBuffer {
  private var start: UnsafeMutableRawPointer
  private var used = 0

  /// The room there is without growing, in bytes.
  public private(set) var capacity: Int

  /// The length of the content in bytes; 0 after a wipe or a failed open.
  public private(set) var count = 0

  /// Makes an empty buffer.
  ///
  /// - Parameter capacity: the initial capacity in bytes, at least 64.
  public init(capacity: Int = 4096) {
    self.capacity = max(capacity, 64)
    unsafe start = Self.zeroes(self.capacity)
  }

  deinit {
    unsafe explicit_bzero(start, used)
    unsafe start.deallocate()
  }

  /// Calls `body` with the content. Copies that `body` makes are not wiped.
  public func withContent<Result, Failure: Error>(
    _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let span = unsafe UnsafeRawBufferPointer(start: start, count: count).bytes
    return try body(span)
  }

  /// Zeroes all bytes that were written since the last wipe, and empties the buffer.
  public func wipe() {
    unsafe explicit_bzero(start, used)
    used = 0
    count = 0
  }

  /// Lets `write` fill exactly `count` bytes, which become the content; when it throws, the buffer is wiped.
  func replaceContent(
    count: Int, _ write: (inout MutableRawSpan) throws(CryptoError) -> Void
  ) throws(CryptoError) {
    if count > capacity { grow(to: count) }
    self.count = count
    used = max(used, count)
    var span = unsafe UnsafeMutableRawBufferPointer(start: start, count: count).mutableBytes
    do {
      try write(&span)
    } catch {
      wipe()
      throw error
    }
  }

  /// Whether all memory, beyond the content too, is zero; tests check ``wipe()`` with it.
  package var isZero: Bool {
    unsafe UnsafeRawBufferPointer(start: start, count: capacity).allSatisfy { $0 == 0 }
  }

  private func grow(to count: Int) {
    wipe()
    unsafe start.deallocate()
    let (doubled, overflow) = capacity.multipliedReportingOverflow(by: 2)
    capacity = overflow ? count : max(doubled, count)
    unsafe start = Self.zeroes(capacity)
  }

  private static func zeroes(_ count: Int) -> UnsafeMutableRawPointer {
    let start = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 16)
    unsafe memset(start, 0, count)
    return unsafe start
  }
}
