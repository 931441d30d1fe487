import CWeb
import Glibc
package import HelperProtocols

/// What a collection of WebDAV contains (RFC 4918, section 13).
package struct Multistatus {
  package struct Member: Equatable {
    /// The last component of the path, decoded.
    package var name: String
    package var isCollection: Bool
    /// In bytes; nil if the server does not say.
    package var size: Int?
    /// What changes with the member; empty if the server does not say.
    package var version = ""
  }

  /// The most members that are read.
  static let longest = 200_000

  package var members: [Member] = []

  /// The longest tag, comment or other token, in bytes. The parser looks at an unfinished one again with each piece.
  private static let maximumTokenLength = 16_384

  /// Reads the answer to a `PROPFIND` of depth 1. It takes no document type, so no entity is ever expanded.
  ///
  /// - Parameter path: the decoded components of the collection's path, which is a member of its own answer.
  /// - Throws: ``CarrierError/listIncomplete`` if the server says that it is; ``CarrierError/wrongServer`` for anything else.
  package init(_ xml: [UInt8], of path: [String]) throws(CarrierError) {
    guard let parser = unsafe XML_ParserCreateNS(nil, 32) else { throw .wrongServer }
    defer { unsafe XML_ParserFree(parser) }
    let reading = unsafe Reading(parser, path: path)
    unsafe XML_SetUserData(parser, Unmanaged.passUnretained(reading).toOpaque())
    unsafe XML_SetStartDoctypeDeclHandler(parser) { context, _, _, _, _ in unsafe Reading.of(context).fail() }
    unsafe XML_SetElementHandler(
      parser,
      { context, name, attributes in
        let reading = unsafe Reading.of(context)
        if let name = unsafe reading.known(name) { reading.open(name) }
        var next = unsafe attributes
        while unsafe reading.known(next?.pointee) != nil { unsafe next = next?.advanced(by: 2) }
      },
      { context, _ in unsafe Reading.of(context).close() })
    unsafe XML_SetStartNamespaceDeclHandler(parser) { context, prefix, uri in
      let reading = unsafe Reading.of(context)
      _ = unsafe (reading.known(prefix), reading.known(uri))
    }
    unsafe XML_SetCharacterDataHandler(parser) { context, text, count in
      unsafe Reading.of(context).append(UnsafeRawBufferPointer(start: text, count: Int(count)))
    }
    let isWellFormed = withExtendedLifetime(reading) { unsafe Self.parse(xml, parser) }
    guard isWellFormed, !reading.hasFailed, reading.isMultistatus else { throw .wrongServer }
    guard !reading.isCut else { throw .listIncomplete }
    members = reading.members
  }

  private static func parse(_ xml: [UInt8], _ parser: XML_Parser) -> Bool {
    unsafe xml.withUnsafeBytes { bytes in
      var offset = 0
      repeat {
        let piece = unsafe UnsafeRawBufferPointer(rebasing: bytes[offset...].prefix(maximumTokenLength))
        offset += piece.count
        let status = unsafe XML_Parse(
          parser, piece.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(piece.count),
          offset == bytes.count ? 1 : 0)
        guard status == XML_STATUS_OK, unsafe offset - XML_GetCurrentByteIndex(parser) <= maximumTokenLength
        else {
          return false
        }
      } while offset < bytes.count
      return true
    }
  }

  /// The document under way, as the parser's callbacks see it.
  @safe private final class Reading {
    private let parser: XML_Parser
    private let collection: [String]
    private(set) var members: [Member] = []
    private(set) var hasFailed = false
    private(set) var isMultistatus = false
    /// Whether the server says that there are more members than it lists.
    private(set) var isCut = false
    private var elements: [String] = []
    private var names: Set<String> = []
    private var text: [UInt8] = []
    private var reference = ""
    private var isCollection = false
    private var size: Int?
    private var version = ""

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

    /// Returns the name of an element, attribute or namespace; nil for none. Fails for one that is long, or one of too many: the
    /// parser keeps each, and repeats that of a namespace for each element in it.
    func known(_ name: UnsafePointer<CChar>?) -> String? {
      guard let name = unsafe name else { return nil }
      guard unsafe strlen(name) <= 256, names.count < 1_000 else {
        fail()
        return nil
      }
      let text = unsafe String(cString: name)
      names.insert(text)
      return text
    }

    func open(_ name: String) {
      if elements.isEmpty { isMultistatus = name == "DAV: multistatus" }
      elements.append(name)
      text = []
      if elements.count > 32 { return fail() }
      switch name {
      case "DAV: response": (reference, isCollection, size, version) = ("", false, nil, "")
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
      case "DAV: getetag", "DAV: getlastmodified": version += value
      // The list is cut off (RFC 5323, section 5.2, and RFC 6578, section 3.6).
      case "DAV: status" where elements.last == "DAV: response" && value.contains("507"): isCut = true
      case "DAV: response": addMember()
      default: break
      }
    }

    private func addMember() {
      guard let path = WebAddress.components(of: reference), path != collection, let name = path.last else {
        return
      }
      if members.count == Multistatus.longest { return fail() }
      members.append(Member(name: name, isCollection: isCollection, size: size, version: version))
    }
  }
}
