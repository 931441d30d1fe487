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
