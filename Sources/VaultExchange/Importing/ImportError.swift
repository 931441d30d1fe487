/// Why a file cannot be imported. No case contains anything from the file except a column's name.
public enum ImportError: Error, Hashable, Sendable {
  case unknownFormat
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
    /// It is neither UTF-8, nor UTF-16 with a byte order mark, nor GB 18030.
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

/// The formats that can be imported. The raw value is used in the protocol.
public enum ImportFormat: String, Sendable, Hashable, CaseIterable {
  /// QuickVault's own, as `vault/export` writes it.
  case json
  /// Comma-separated values (RFC 4180).
  case csv
  /// vCard 2.1, 3 (RFC 2426) and 4 (RFC 6350).
  case vcard
  /// The XML that KeePass and KeePassXC export.
  case keepassXML = "keepass-xml"
  /// The unencrypted JSON that Bitwarden exports.
  case bitwardenJSON = "bitwarden-json"
}
