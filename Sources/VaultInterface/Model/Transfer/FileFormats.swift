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
  /// The JSON that Enpass exports.
  case enpassJSON = "enpass-json"
}

/// The formats that are written. The raw value is the name on the wire.
public enum ExportFormat: String, Sendable, Hashable, CaseIterable {
  /// All that a card has, and its attachments.
  case json
  /// Comma-separated values (RFC 4180).
  case csv
  /// vCard 3 (RFC 2426), for address cards.
  case vcard
  /// Markdown (CommonMark), for people.
  case markdown

  /// Whether attachments are written too.
  public var holdsAttachments: Bool { self == .json }
  /// Whether concealed values are written too.
  public var holdsConcealedValues: Bool { self != .vcard }
  /// Whether the writer must see every card first.
  public var needsPreparation: Bool { self == .csv }
}

/// How a file's text is encoded. The raw value is its name on the wire.
public enum TextEncoding: String, Sendable, Hashable, CaseIterable {
  /// UTF-8 (RFC 3629), with a byte order mark or without.
  case utf8 = "utf-8"
  /// UTF-16 in the byte order of its mark or of its first characters.
  case utf16 = "utf-16"
  /// GB 18030, with GBK and GB 2312 inside it.
  case gb18030 = "gb18030"
  case big5 = "big5-hkscs"
  case shiftJIS = "shift_jis"
  case eucJP = "euc-jp"
  case eucKR = "euc-kr"
  case windows1252 = "windows-1252"
  case windows1250 = "windows-1250"
  case windows1251 = "windows-1251"
}
