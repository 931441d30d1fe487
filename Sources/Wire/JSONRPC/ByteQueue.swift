import Glibc

/// A queue of bytes. Bytes that are taken are overwritten with zeros: they may hold a password or a card.
struct ByteQueue: Sendable {
  private var storage: [UInt8] = []
  private var start = 0

  var count: Int { storage.count - start }
  var isEmpty: Bool { count == 0 }
  var first: UInt8? { isEmpty ? nil : storage[start] }

  var bytes: [UInt8] { Array(storage[start...]) }

  mutating func append(_ bytes: some Sequence<UInt8>) {
    storage.append(contentsOf: bytes)
  }

  /// Appends what the closure appends.
  mutating func append<Value>(_ body: (inout [UInt8]) -> Value) -> Value {
    body(&storage)
  }

  /// Copies up to `count` bytes from the front.
  func prefix(_ count: Int) -> [UInt8] {
    Array(storage[start..<start + min(count, self.count)])
  }

  /// Removes up to `count` bytes from the front.
  mutating func take(_ count: Int) -> [UInt8] {
    let taken = prefix(count)
    drop(taken.count)
    return taken
  }

  /// Drops bytes from the front, and memory that is no longer needed.
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

  /// Removes the bytes in a range of distances from the front.
  mutating func remove(_ range: Range<Int>) {
    let bytes = range.clamped(to: 0..<count)
    let removed = start + bytes.lowerBound..<start + bytes.upperBound
    storage.overwrite(removed)
    storage.removeSubrange(removed)
    drop(0)
  }

  /// The content length and the size of the header, if it is `Content-Length: `, one to seven digits and an empty line, as
  /// most clients write it; nil for any other header.
  var commonHeader: (length: Int, size: Int)? {
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

  /// The distance from the front to the next occurrence of a byte, not before `offset`.
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

  /// Drops as many bytes as the closure says that it has used.
  mutating func consume(upTo limit: Int, _ body: (UnsafeRawBufferPointer) throws -> Int) rethrows {
    let end = start + min(limit, count)
    let used = try unsafe storage.withUnsafeBytes { all in
      try unsafe body(UnsafeRawBufferPointer(rebasing: all[start..<end]))
    }
    drop(used)
  }
}

extension [UInt8] {
  /// Appends what the closure appends. If that is more than `limit` bytes, it is overwritten and removed again.
  ///
  /// - Returns: whether it was appended.
  mutating func append(upTo limit: Int, _ content: (inout [UInt8]) -> Void) -> Bool {
    let start = count
    content(&self)
    guard count - start > limit else { return true }
    overwrite(start..<count)
    removeSubrange(start...)
    return false
  }

  /// Overwrites bytes with zeros.
  mutating func overwrite(_ range: Range<Int>) {
    unsafe withUnsafeMutableBytes { bytes in
      guard !range.isEmpty, let base = bytes.baseAddress else { return }
      unsafe explicit_bzero(base + range.lowerBound, range.count)
    }
  }
}
