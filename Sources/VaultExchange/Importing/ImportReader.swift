import VaultInterface

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
