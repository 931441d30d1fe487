public import VaultInterface

/// Reads files that other programs, and QuickVault itself, wrote.
public enum ImportReader {
  /// The maximum size of a file in bytes.
  public static let sizeLimit = 64 << 20
  /// The maximum size in bytes of QuickVault's own files, whose attachments are read one at a time.
  public static let ownSizeLimit = 512 << 20

  /// Whether a file begins like one that QuickVault writes.
  public static func isOwn(_ beginning: [UInt8]) -> Bool {
    beginning.starts(with: Array("{\"quickvault\":".utf8))
  }

  /// Reads a complete file.
  ///
  /// Reads only the bytes, and stores nothing. Each entry has its own issues; only
  /// errors that concern the file as a whole are thrown.
  /// - Parameters:
  ///   - bytes: the content, at most ``sizeLimit`` or ``ownSizeLimit`` bytes.
  ///   - options: how to interpret it.
  /// - Throws: ``ImportError``.
  public static func read(_ bytes: [UInt8], _ options: ImportOptions) throws(ImportError) -> ImportedFile {
    guard !bytes.isEmpty else { throw .unreadable(.empty, line: nil) }
    if options.format == .vcard || options.format == nil && isVCard(bytes) {
      guard options.mapping.isEmpty else { throw .unknownColumn(options.mapping.keys.min() ?? "") }
      return try VCardImport.read(bytes, options)
    }
    let decoded = try TextEncoding.decode(bytes, given: options.encoding)
    let (text, encoding) = (decoded.text, decoded.encoding)
    if let foreign = ForeignFile.recognized(text) { throw .unknownFormat(foreign) }
    guard text.contains(where: { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 }) else {
      throw .unreadable(.empty, line: nil)
    }
    let format: ImportFormat
    if let given = options.format { format = given } else { format = try self.format(of: text) }
    guard format == .csv || options.mapping.isEmpty else {
      throw .unknownColumn(options.mapping.keys.min() ?? "")
    }
    var file =
      switch format {
      case .csv: try CSVImport.read(text, encoding, options)
      case .keepassXML: try KeePassImport.read(text, encoding, options)
      case .json: try JSONImport.readCards(text, encoding, options)
      case .bitwardenJSON, .enpassJSON: try JSONImport.readItems(text, encoding, format, options)
      case .vcard: try VCardImport.read(bytes, options)
      }
    file.warnings = decoded.warnings + file.warnings
    return file
  }

  private static func isVCard(_ bytes: [UInt8]) -> Bool {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return VCardImport.recognizes(bytes.dropFirst(3)) }
    if TextEncoding.isUTF16(bytes) {
      return VCardImport.recognizes((try? TextEncoding.decode(bytes).text) ?? [])
    }
    return VCardImport.recognizes(bytes)
  }

  private static func format(of text: [UInt8]) throws(ImportError) -> ImportFormat {
    let first = text.first { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 }
    if first == UInt8(ascii: "<") {
      if KeePassImport.recognizes(text) { return .keepassXML }
      var reader = XMLReader(text)
      // Another kind of document is an unknown format; one that is malformed or declares a type has its own error.
      guard case .start(let name, _)? = try reader.next() else { throw .unknownFormat() }
      throw .unknownFormat(ForeignFile.recognized(root: name))
    }
    if JSONImport.isLikely(text) {
      if let format = JSONImport.format(of: text) { return format }
      if text.first(where: { ![0x20, 0x0A, 0x0D, 0x09].contains($0) }) == UInt8(ascii: "[") {
        try JSONElements.forEach(of: JSONElements.whole(text), in: text) { _ throws(ImportError) in }
        throw .unknownFormat()
      }
      throw .unknownFormat(ForeignFile.recognized(members: try JSONElements.members(of: text).map(\.name)))
    }
    guard CSVImport.recognizes(text) else { throw .unknownFormat() }
    return .csv
  }
}

/// Why a file cannot be imported. No case contains anything from the file except a column's name.
public enum ImportError: Error, Hashable, Sendable {
  /// The file has a format that is not read; the case says which, if it is known.
  case unknownFormat(ForeignFile? = nil)
  /// The file does not follow its format; lines are counted from 1.
  case unreadable(Reason, line: Int?)
  case tooManyEntries(limit: Int)
  /// The mapping names a column that the file lacks.
  case unknownColumn(String)
  case unknownTarget(column: String)
  case repeatedTarget(column: String)

  /// Why a file is unreadable. The raw value is used in the protocol.
  public enum Reason: String, Sendable, Hashable, CaseIterable {
    case empty
    /// It is a text in none of the encodings of ``TextEncoding``.
    case encoding
    /// It is not well-formed.
    case malformed
    /// It has a document type declaration, which is not allowed.
    case documentType
    /// The file is nested too deeply.
    case nestingTooDeep
    /// A row has more than 1,000 cells.
    case tooManyColumns
    case encrypted
    case newerVersion
  }
}

/// Files of other programs that are not read, and for which the program has another export. The raw value is used in the
/// protocol.
public enum ForeignFile: String, Sendable, Hashable, CaseIterable {
  case keePassDatabase = "kdbx"
  case keePass1XML = "keepass1-xml"
  case onePUX = "1pux"
  case onePIF = "1pif"
  case protonJSON = "proton-json"
  case encrypted
  case spreadsheet
  case archive
  case html

  /// The kind of a file by its first bytes; nil for any other.
  static func recognized(_ bytes: [UInt8]) -> ForeignFile? {
    let starts = { (start: String) in bytes.starts(with: start.utf8) }
    let contains = { (name: String) in bytes.firstRange(of: Array(name.utf8)) != nil }
    if bytes.starts(with: [0x03, 0xD9, 0xA2, 0x9A]) { return .keePassDatabase }
    if bytes.starts(with: [0xD0, 0xCF, 0x11, 0xE0]) { return .spreadsheet }
    if starts("PK\u{3}\u{4}") {
      if contains("export.data") { return .onePUX }
      if contains("Proton Pass/") { return .protonJSON }
      return contains("xl/workbook") || contains("opendocument.spreadsheet") ? .spreadsheet : .archive
    }
    if starts("-----BEGIN PGP") || starts("age-encryption.org/") || starts("Salted__") { return .encrypted }
    if contains("<!DOCTYPE KEEPASSX_DATABASE>") { return .keePass1XML }
    return contains("***5642bee8-a5ff-11dc-8314-0800200c9a66***") ? .onePIF : nil
  }

  /// The kind of a document by its outermost element.
  static func recognized(root: String) -> ForeignFile? {
    switch root.lowercased() {
    case "pwlist": .keePass1XML
    case "html": .html
    default: nil
    }
  }

  /// The kind of a JSON text by the members of its outermost object.
  static func recognized(members: [String]) -> ForeignFile? {
    if members.contains("vaults") { return .protonJSON }
    return members.contains("accounts") ? .onePUX : nil
  }
}

/// How to interpret a file; what is not set is detected.
public struct ImportOptions: Hashable, Sendable {
  /// The format; nil to detect it from the content.
  public var format: ImportFormat?
  /// The encoding of the text; nil to detect it.
  public var encoding: TextEncoding?
  /// The targets of columns by name.
  public var mapping: [String: String]
  /// The type of cards whose type the table does not say; nil to detect it from their values.
  public var type: CardType?
  /// The group of cards whose group the file does not say.
  public var group: CardGroup
  /// The language of the labels that cards get.
  public var language: Language

  public init(
    format: ImportFormat? = nil, encoding: TextEncoding? = nil, mapping: [String: String] = [:],
    type: CardType? = nil, group: CardGroup = .personal, language: Language = .english
  ) {
    (self.format, self.encoding, self.mapping, self.type) = (format, encoding, mapping, type)
    (self.group, self.language) = (group, language)
  }
}
