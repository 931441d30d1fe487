/// Why a file as a whole cannot be imported. No case carries anything of its content but a column's name.
public enum ImportError: Error, Hashable, Sendable {
  /// The content is of no format that is known.
  case unknownFormat
  /// The file is not what its format wants, in this line, counted from 1.
  case unreadable(Fault, line: Int?)
  /// There are more entries than this.
  case tooManyEntries(limit: Int)
  /// The mapping names a column that the file does not have.
  case unknownColumn(String)
  /// The mapping gives a column a target that there is not.
  case unknownTarget(column: String)
  /// The mapping gives two columns the same target.
  case repeatedTarget(column: String)

  /// What is wrong with a file. The raw value is the name on the wire.
  public enum Fault: String, Sendable, Hashable, CaseIterable {
    /// There is nothing in it.
    case empty
    /// It is neither UTF-8, nor UTF-16 with a byte order mark, nor GB 18030.
    case encoding
    /// It is not well-formed.
    case malformed
    /// It declares a document type, which no export of cards does.
    case documentType
    /// Its parts lie too deep in one another.
    case nestingTooDeep
    /// A row has more than 1,000 cells.
    case tooManyColumns
    /// It is encrypted: it has to be exported without.
    case encrypted
    /// A newer version of QuickVault wrote it.
    case newerVersion
  }
}

/// The formats that are read. The raw value is the name on the wire.
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
