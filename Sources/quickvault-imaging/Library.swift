import CImaging

/// The calls of CImaging with errors in Swift's manner.
enum Library {
  /// The most pixels that are decoded.
  static let mostPixels: Int64 = 50_000_000

  /// Throws where a call did not end well.
  static func check(_ status: ImagingStatus) throws(ImagingError) {
    guard status != IMAGING_DONE else { return }
    let message = unsafe String(cString: imaging_message())
    switch status {
    case IMAGING_TRUNCATED: throw .truncated(message)
    case IMAGING_DAMAGED: throw .damaged(message)
    case IMAGING_UNSUPPORTED: throw .unsupportedType(detected: "a kind that no library here reads")
    case IMAGING_TOO_MANY_PIXELS: throw .tooManyPixels(message)
    case IMAGING_ENCRYPTED: throw .encryptedDocument
    case IMAGING_NO_MEMORY: throw .outOfMemory(message)
    default: throw .internal(message)
    }
  }

  /// Gives up what a decoder needs not.
  ///
  /// - Returns: what holds now, for the answer.
  /// - Throws: ``ImagingError/sandboxUnavailable``.
  static func confine(for type: ContentType) throws(ImagingError) -> String {
    switch imaging_confine(type.format) {
    case IMAGING_CONFINED: return "landlock+seccomp"
    case IMAGING_CONFINED_WITHOUT_LANDLOCK: return "seccomp"
    default: throw .sandboxUnavailable
    }
  }

  /// Reads a header.
  static func header(_ bytes: [UInt8], _ type: ContentType) throws(ImagingError) -> ImagingHeader {
    var header = ImagingHeader()
    try check(
      unsafe bytes.withUnsafeBufferPointer { buffer in
        guard let start = buffer.baseAddress else { return IMAGING_TRUNCATED }
        return unsafe imaging_header(type.format, start, buffer.count, mostPixels, &header)
      })
    return header
  }

  /// Decodes the whole picture.
  ///
  /// - Returns: whether all its pixels are alike.
  static func decode(_ bytes: [UInt8], _ type: ContentType) throws(ImagingError) -> Bool {
    var uniform: Int32 = 0
    try check(
      unsafe bytes.withUnsafeBufferPointer { buffer in
        guard let start = buffer.baseAddress else { return IMAGING_TRUNCATED }
        return unsafe imaging_check(type.format, start, buffer.count, &uniform)
      })
    return uniform != 0
  }

  /// A picture that a call made.
  struct Picture {
    let bytes: [UInt8]
    let width: Int
    let height: Int
  }

  /// Makes a picture from bytes by one of the calls that fill an `ImagingFile`.
  static func make(
    from bytes: [UInt8], _ call: (UnsafePointer<UInt8>, Int, inout ImagingFile) -> ImagingStatus
  ) throws(ImagingError) -> Picture {
    var file = unsafe ImagingFile()
    try check(
      unsafe bytes.withUnsafeBufferPointer { buffer in
        guard let start = buffer.baseAddress else { return IMAGING_TRUNCATED }
        return unsafe call(start, buffer.count, &file)
      })
    defer { unsafe imaging_free(file.bytes) }
    let result = unsafe [UInt8](UnsafeBufferPointer(start: file.bytes, count: file.count))
    return unsafe Picture(bytes: result, width: Int(file.width), height: Int(file.height))
  }
}
