import Glibc

/// Bytes that are appended at the end and taken from the front, without moving what is left at every step. What is taken
/// is overwritten: it may be a password, or a card.
struct ByteQueue: Sendable {
  private var storage: [UInt8] = []
  private var start = 0

  var count: Int { storage.count - start }
  var isEmpty: Bool { count == 0 }
  var first: UInt8? { isEmpty ? nil : storage[start] }

  /// Everything that waits, in order.
  var bytes: [UInt8] { Array(storage[start...]) }

  mutating func append(_ bytes: some Sequence<UInt8>) {
    storage.append(contentsOf: bytes)
  }

  /// Takes in what a closure appends to the bytes that it is lent.
  mutating func append(_ body: (inout [UInt8]) -> Void) {
    body(&storage)
  }

  /// The bytes at the front, which stay there.
  ///
  /// - Parameter count: how many; no more than ``count`` are given.
  func prefix(_ count: Int) -> [UInt8] {
    Array(storage[start..<start + min(count, self.count)])
  }

  /// Takes bytes from the front.
  ///
  /// - Parameter count: how many; no more than ``count`` are taken.
  mutating func take(_ count: Int) -> [UInt8] {
    let taken = prefix(count)
    drop(taken.count)
    return taken
  }

  /// Drops bytes from the front, and room that has grown large with them.
  mutating func drop(_ count: Int) {
    let end = start + min(count, self.count)
    storage.overwrite(start..<end)
    start = end
    if start == storage.count {
      storage.removeAll(keepingCapacity: storage.capacity <= 1 << 20)
      start = 0
    } else if start > 1 << 16, start > storage.count / 2 {
      let rest = bytes
      storage.overwrite(start..<storage.count)
      storage = rest
      start = 0
    }
  }

  /// What the front says where it is `Content-Length: `, one to seven digits and an empty line, and nothing else, which is
  /// how most clients begin a frame: the length of the content, and of all this. Nil for anything else.
  var usualHeader: (length: Int, size: Int)? {
    let name = "Content-Length: ".utf8
    let all = storage.span.extracting(droppingFirst: start)
    guard all.count > name.count + 4 else { return nil }
    var (length, position) = (0, 0)
    for byte in name {
      guard all[position] == byte else { return nil }
      position += 1
    }
    while position < all.count, 0x30...0x39 ~= all[position] {
      length = length * 10 + Int(all[position] - 0x30)
      position += 1
      guard position <= name.count + 7 else { return nil }
    }
    guard position > name.count, all.count - position >= 4, all[position] == 0x0D,
      all[position + 1] == 0x0A, all[position + 2] == 0x0D, all[position + 3] == 0x0A
    else { return nil }
    return (length, position + 4)
  }

  /// The distance from the front to the next occurrence of a byte.
  ///
  /// - Parameter offset: how many bytes from the front to pass over first.
  func distance(to byte: UInt8, from offset: Int = 0) -> Int? {
    guard offset < count else { return nil }
    return unsafe storage.withUnsafeBytes { all in
      let rest = unsafe UnsafeRawBufferPointer(rebasing: all[(start + offset)...])
      guard let base = rest.baseAddress, let found = unsafe memchr(base, Int32(byte), rest.count) else {
        return nil
      }
      return unsafe offset + (UnsafeRawPointer(found) - base)
    }
  }

  /// Gives what waits, as far as the limit, to a closure that says how much of it was used up.
  mutating func consume(upTo limit: Int, _ body: (UnsafeRawBufferPointer) throws -> Int) rethrows {
    let end = start + min(limit, count)
    let used = try unsafe storage.withUnsafeBytes { all in
      try unsafe body(UnsafeRawBufferPointer(rebasing: all[start..<end]))
    }
    drop(used)
  }
}

extension [UInt8] {
  /// Overwrites some of the bytes with zeros.
  mutating func overwrite(_ range: Range<Int>) {
    unsafe withUnsafeMutableBytes { bytes in
      guard !range.isEmpty, let base = bytes.baseAddress else { return }
      unsafe explicit_bzero(base + range.lowerBound, range.count)
    }
  }
}
