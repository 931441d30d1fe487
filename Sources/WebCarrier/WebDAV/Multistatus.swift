import CarrierProtocol
import CExpat

/// What a collection of WebDAV contains (RFC 4918, section 13).
struct Multistatus {
  struct Member: Equatable {
    /// The last component of the path, decoded.
    var name: String
    var isCollection: Bool
    /// In bytes; nil if the server does not say.
    var size: Int?
  }

  /// The most members that are read.
  static let longest = 200_000

  var members: [Member] = []

  /// Reads the answer to a `PROPFIND` of depth 1. It takes no document type, so no entity is ever expanded.
  ///
  /// - Parameter path: the decoded components of the collection's path, which is a member of its own answer.
  /// - Throws: ``CarrierError/wrongServer`` for anything else.
  init(_ xml: [UInt8], of path: [String]) throws(CarrierError) {
    guard xml.count <= Int32.max, let parser = unsafe XML_ParserCreateNS(nil, 32) else { throw .wrongServer }
    defer { unsafe XML_ParserFree(parser) }
    let reading = unsafe Reading(parser, path: path)
    unsafe XML_SetUserData(parser, Unmanaged.passUnretained(reading).toOpaque())
    unsafe XML_SetStartDoctypeDeclHandler(parser) { context, _, _, _, _ in unsafe Reading.of(context).fail() }
    unsafe XML_SetElementHandler(
      parser,
      { context, name, _ in
        if let name = unsafe name { unsafe Reading.of(context).open(String(cString: name)) }
      },
      { context, _ in unsafe Reading.of(context).close() })
    unsafe XML_SetCharacterDataHandler(parser) { context, text, count in
      unsafe Reading.of(context).append(UnsafeRawBufferPointer(start: text, count: Int(count)))
    }
    let status = withExtendedLifetime(reading) {
      unsafe xml.withUnsafeBytes { bytes in
        unsafe XML_Parse(
          parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count), 1)
      }
    }
    guard status == XML_STATUS_OK, !reading.hasFailed, reading.isMultistatus else { throw .wrongServer }
    members = reading.members
  }

  /// The document under way, as the parser's callbacks see it.
  @safe private final class Reading {
    private let parser: XML_Parser
    private let collection: [String]
    private(set) var members: [Member] = []
    private(set) var hasFailed = false
    private(set) var isMultistatus = false
    private var elements: [String] = []
    private var text: [UInt8] = []
    private var reference = ""
    private var isCollection = false
    private var size: Int?

    init(_ parser: XML_Parser, path: [String]) {
      unsafe (self.parser, collection) = unsafe (parser, path)
    }

    static func of(_ context: UnsafeMutableRawPointer?) -> Reading {
      guard let context = unsafe context else { preconditionFailure("the parser has a context") }
      return unsafe Unmanaged<Reading>.fromOpaque(context).takeUnretainedValue()
    }

    func fail() {
      hasFailed = true
      unsafe XML_StopParser(parser, 0)
    }

    func open(_ name: String) {
      if elements.isEmpty { isMultistatus = name == "DAV: multistatus" }
      elements.append(name)
      text = []
      if elements.count > 32 { return fail() }
      switch name {
      case "DAV: response": (reference, isCollection, size) = ("", false, nil)
      case "DAV: collection" where elements.dropLast().last == "DAV: resourcetype": isCollection = true
      default: break
      }
    }

    func append(_ piece: UnsafeRawBufferPointer) {
      guard text.count + piece.count <= 8_192 else { return fail() }
      unsafe text.append(contentsOf: piece)
    }

    func close() {
      let name = elements.popLast()
      let value = String(decoding: text, as: UTF8.self).filter { !$0.isWhitespace }
      text = []
      switch name {
      case "DAV: href" where elements.last == "DAV: response": reference = value
      case "DAV: getcontentlength": size = Int(value).flatMap { $0 >= 0 ? $0 : nil } ?? size
      case "DAV: response": addMember()
      default: break
      }
    }

    private func addMember() {
      guard let path = WebAddress.components(of: reference), path != collection, let name = path.last else {
        return
      }
      if members.count == Multistatus.longest { return fail() }
      members.append(Member(name: name, isCollection: isCollection, size: size))
    }
  }
}
