extension String {
  /// Reads a text that is part of the program.
  ///
  /// - Parameters: what `CResources` gives for it, which must be UTF-8.
  @unsafe package init(resource bytes: UnsafePointer<UInt8>, _ count: Int) {
    unsafe self.init(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }
}
