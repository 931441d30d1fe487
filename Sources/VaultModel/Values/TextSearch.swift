/// Finding a text in a line, byte by byte: characters that are written differently are different.
extension Substring {
  public func range(ofFirst part: String) -> Range<Index>? {
    let wanted = Array(part.utf8)
    var start = startIndex
    while start < endIndex {
      if utf8[start...].starts(with: wanted) { return start..<utf8.index(start, offsetBy: wanted.count) }
      start = utf8.index(after: start)
    }
    return nil
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
