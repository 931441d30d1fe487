import CText

/// Finding a text in a line, byte by byte: characters that are written differently are different.
extension Substring {
  public func range(ofFirst part: String) -> Range<Index>? {
    let wanted = Array(part.utf8)
    let offset = unsafe utf8.withContiguousStorageIfAvailable { text in
      unsafe quickvault_find(text.baseAddress, text.count, wanted, wanted.count)
    }
    guard let offset, offset >= 0 else { return nil }
    let start = utf8.index(startIndex, offsetBy: offset)
    return start..<utf8.index(start, offsetBy: wanted.count)
  }

  public func range(ofLast part: String) -> Range<Index>? {
    let wanted = Array(part.utf8)
    var start = endIndex
    while start > startIndex {
      start = utf8.index(before: start)
      if utf8[start...].starts(with: wanted) { return start..<utf8.index(start, offsetBy: wanted.count) }
    }
    return nil
  }
}
