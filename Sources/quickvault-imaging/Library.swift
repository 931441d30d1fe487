import CImaging
import ImagingFormats

/// The functions of CImaging, throwing ``ImagingError``.
enum Library {
  /// The maximum number of pixels of a picture.
  private static let pixelLimit: Int64 = 50_000_000

  static func check(_ status: ImagingStatus) throws(ImagingError) {
    guard status != IMAGING_DONE else { return }
    let message = unsafe String(cString: imaging_message())
    switch status {
    case IMAGING_TRUNCATED: throw .truncated(message)
    case IMAGING_DAMAGED: throw .damaged(message)
    case IMAGING_UNSUPPORTED: throw .unsupportedType(detected: "a variant that the library does not support")
    case IMAGING_TOO_MANY_PIXELS: throw .tooManyPixels(message)
    case IMAGING_ENCRYPTED: throw .encryptedDocument
    case IMAGING_NO_MEMORY: throw .outOfMemory(message)
    default: throw .internal(message)
    }
  }

  /// Confines the process for good.
  ///
  /// - Returns: the mechanisms in force, for the response.
  /// - Throws: ``ImagingError/sandboxUnavailable``.
  static func confine(for type: ContentType) throws(ImagingError) -> String {
    switch imaging_confine(type.format) {
    case IMAGING_CONFINED: return "landlock+seccomp"
    case IMAGING_CONFINED_WITHOUT_LANDLOCK: return "seccomp"
    default: throw .sandboxUnavailable
    }
  }

  /// Reads the header and enforces the pixel limit.
  static func header(_ bytes: [UInt8], _ type: ContentType) throws(ImagingError) -> ImagingHeader {
    var header = ImagingHeader()
    try check(
      unsafe bytes.withUnsafeBufferPointer { buffer in
        guard let start = buffer.baseAddress else { return IMAGING_TRUNCATED }
        return unsafe imaging_header(type.format, start, buffer.count, pixelLimit, &header)
      })
    return header
  }

  /// Decodes the whole picture to find damage.
  ///
  /// - Returns: whether all pixels have the same value.
  static func decode(_ bytes: [UInt8], _ type: ContentType) throws(ImagingError) -> Bool {
    var uniform: Int32 = 0
    try check(
      unsafe bytes.withUnsafeBufferPointer { buffer in
        guard let start = buffer.baseAddress else { return IMAGING_TRUNCATED }
        return unsafe imaging_check(type.format, start, buffer.count, &uniform)
      })
    guard !imaging_lacks_fonts() else { throw .missingFont(characters: "", package: "poppler-data") }
    return uniform != 0
  }

  /// An encoded picture.
  struct Encoded {
    let bytes: [UInt8]
    let width: Int
    let height: Int
  }

  /// Calls a function that encodes a picture, and frees its buffer.
  static func make(
    from bytes: [UInt8], _ call: (UnsafePointer<UInt8>, Int, inout ImagingFile) -> ImagingStatus
  ) throws(ImagingError) -> Encoded {
    var file = unsafe ImagingFile()
    try check(
      unsafe bytes.withUnsafeBufferPointer { buffer in
        guard let start = buffer.baseAddress else { return IMAGING_TRUNCATED }
        return unsafe call(start, buffer.count, &file)
      })
    defer { unsafe imaging_free(file.bytes) }
    let result = unsafe [UInt8](UnsafeBufferPointer(start: file.bytes, count: file.count))
    return unsafe Encoded(bytes: result, width: Int(file.width), height: Int(file.height))
  }
}
