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
    let (text, encoding) = try TextEncoding.decode(bytes)
    guard text.contains(where: { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 }) else {
      throw .unreadable(.empty, line: nil)
    }
    let format: ImportFormat
    if let given = options.format { format = given } else { format = try self.format(of: text) }
    guard format == .csv || options.mapping.isEmpty else {
      throw .unknownColumn(options.mapping.keys.min() ?? "")
    }
    switch format {
    case .csv: return try CSVImport.read(text, encoding, options)
    case .keepassXML: return try KeePassImport.read(text, encoding, options)
    case .json: return try JSONImport.readCards(text, encoding, options)
    case .bitwardenJSON: return try JSONImport.readItems(text, encoding, options)
    case .vcard: return try VCardImport.read(bytes, options)
    }
  }

  private static func isVCard(_ bytes: [UInt8]) -> Bool {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return VCardImport.recognizes(bytes.dropFirst(3)) }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
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
      _ = try reader.next()
      throw .unknownFormat
    }
    if JSONImport.isLikely(text) {
      if let format = JSONImport.format(of: text) { return format }
      _ = try JSONElements.members(of: text)
      throw .unknownFormat
    }
    guard CSVImport.recognizes(text) else { throw .unknownFormat }
    return .csv
  }
}
