import VaultInterface
import Wire

/// An entry of a KeePass file.
struct KeePassEntry {
  /// One of its texts.
  struct Text: Hashable {
    var key: String
    var value: String
    var isProtected: Bool
  }

  /// The maximum number of strings that are kept; further ones are only counted.
  private static let stringLimit = 200

  let line: Int
  var identifier = ""
  private(set) var texts: [Text] = []
  private var strings = 0
  var folder = ""
  var isInRecycleBin = false
  var tags = ""
  var dates = EntryDates()
  /// When it expires; nil if it does not.
  var expiry: String?
  var attachments = 0
  var hasAutoType = false
  var isEncrypted = false

  init(line: Int) {
    self.line = line
  }

  /// Adds one of its strings.
  mutating func add(_ key: String, _ value: String, isProtected: Bool) {
    strings += 1
    guard strings <= Self.stringLimit, !value.isEmpty else { return }
    texts.append(Text(key: key, value: value, isProtected: isProtected))
  }

  /// The value of a string; empty if there is none.
  func value(_ key: String) -> String {
    texts.first { $0.key == key }?.value ?? ""
  }

  private func login(_ references: KeePassReferences, _ isResolved: inout Bool) -> Login {
    var login = Login()
    for text in texts {
      let (value, isWhole) = references.resolved(text.value)
      isResolved = isResolved && isWhole
      switch text.key {
      case "Title": login.title = value
      case "UserName": (login.userName, login.concealsUserName) = (value, text.isProtected)
      case "Password": login.password = value
      case "URL" where !text.isProtected: login.websites.insert(value, at: 0)
      case "Notes" where !text.isProtected: login.notes = value
      case "otp": login.oneTimePassword = value
      case _ where text.key.hasPrefix("KP2A_URL") && !text.isProtected: login.websites.append(value)
      default:
        let isSecret = text.isProtected || Self.isSecret(text.key) || SecretName.isSecret(value: value)
        login.others.append(ExtraField(label: text.key, value: value, concealed: isSecret))
      }
    }
    if let expiry { login.others.append(ExtraField(label: "Expires", value: expiry)) }
    login.tags = [folder] + tags.split { ",;".contains($0) }.map(String.init)
    return login
  }

  /// The names of one-time password secrets in KeePass and its plug-ins, and of secrets anywhere.
  private static func isSecret(_ key: String) -> Bool {
    let key = key.lowercased()
    return SecretName.isSecret(key)
      || ["totp ", "timeotp-", "hmacotp-", "kpex_passkey"].contains(where: key.hasPrefix)
  }

  func imported(_ references: KeePassReferences, _ options: ImportOptions) -> ImportEntry {
    var isResolved = true
    let login = login(references, &isResolved)
    let source =
      texts.map { SourceValue($0.key, references.resolved($0.value).text) }
      + [SourceValue("Tags", tags), SourceValue("ExpiryTime", expiry ?? "")]
      + (attachments > 0 ? [SourceValue("attachments", "-")] : [])
      + (hasAutoType ? [SourceValue("AutoType", "-")] : [])
    if isInRecycleBin {
      return ImportEntry(
        line: line, title: login.title, notImported: ImportMessages.recycleBin, source: source)
    }
    if isEncrypted {
      return ImportEntry(
        line: line, title: login.title, unreadable: ImportMessages.encryptedValue, source: source)
    }
    if strings > Self.stringLimit {
      return ImportEntry(
        line: line, title: login.title, unreadable: ImportMessages.tooManyProperties, source: source)
    }
    var card = login.cardBuilder(group: options.group, language: options.language)
    if attachments > 0 { card.warnNotImported("attachments", ImportMessages.attachment) }
    if hasAutoType { card.warnNotImported("AutoType", ImportMessages.autoType) }
    if !isResolved {
      card.warn(Issue(field: "REF", code: .unclear, message: ImportMessages.unresolvedReference))
    }
    return card.entry(line: line, dates: dates, source: source)
  }

  /// A time as KeePass writes it: RFC 3339, or the seconds since the year 1 as eight little-endian bytes in base64.
  static func time(_ text: String) -> Timestamp? {
    let text = text.trimmed
    if let time = Timestamp(text) { return time }
    guard let bytes = KeePassReferences.bytes(ofBase64: text), bytes.count == 8 else { return nil }
    let seconds = bytes.reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) }
    let (since1970, overflow) = seconds.subtractingReportingOverflow(62_135_596_800)
    guard !overflow, (0...253_402_300_799).contains(since1970) else { return nil }
    return Timestamp(milliseconds: since1970 * 1_000)
  }
}

/// Resolves KeePass' references from one entry to a field of another: `{REF:P@I:46C9B1FFBD4ABC4BBB260C6190BAD20C}`.
struct KeePassReferences {
  /// How many references may lead to each other, and how many one text may have.
  private static let limit = 10

  private let entries: [KeePassEntry]
  private var identifiers: [String: Int] = [:]

  init(_ entries: [KeePassEntry]) {
    self.entries = entries
    for (index, entry) in entries.enumerated() {
      guard let bytes = Self.bytes(ofBase64: entry.identifier), bytes.count == 16 else { continue }
      identifiers[bytes.hexadecimal.uppercased()] = index
    }
  }

  /// A text with its references resolved, and whether all were.
  func resolved(_ text: String, depth: Int = 0) -> (text: String, isWhole: Bool) {
    guard text.contains("{REF:") else { return (text, true) }
    var (result, rest, isWhole, count) = ("", text[...], true, 0)
    while let start = rest.firstRange(of: "{REF:"), count < Self.limit, depth < Self.limit {
      count += 1
      result += rest[..<start.lowerBound]
      rest = rest[start.lowerBound...]
      guard let end = rest.firstIndex(of: "}") else { break }
      let reference = rest[start.upperBound..<end]
      if let value = value(of: reference) {
        let inner = resolved(value, depth: depth + 1)
        result += inner.text
        isWhole = isWhole && inner.isWhole
      } else {
        result += rest[...end]
        isWhole = false
      }
      rest = rest[rest.index(after: end)...]
    }
    return (result + rest, isWhole && !rest.contains("{REF:"))
  }

  private static let fields: [Character: String] = [
    "T": "Title", "U": "UserName", "P": "Password", "A": "URL", "N": "Notes",
  ]

  /// The value that `P@I:…` stands for: the field before the @ of the entry that is sought after it.
  private func value(of reference: Substring) -> String? {
    let sides = reference.split(separator: ":", maxSplits: 1).map(String.init)
    guard sides.count == 2, sides[0].count == 3, let wanted = sides[0].uppercased().first,
      let sought = sides[0].uppercased().last
    else { return nil }
    let entry: KeePassEntry?
    switch sought {
    case "I": entry = identifiers[sides[1].uppercased()].map { entries[$0] }
    case "O": entry = entries.first { $0.texts.contains { $0.value == sides[1] } }
    default:
      guard let key = Self.fields[sought] else { return nil }
      entry = entries.first { $0.value(key).lowercased() == sides[1].lowercased() }
    }
    guard let entry else { return nil }
    if wanted == "I" { return sides[1] }
    return Self.fields[wanted].map(entry.value)
  }

  /// The bytes of up to 24 characters of Base64; nil for any other text.
  static func bytes(ofBase64 text: String) -> [UInt8]? {
    let text = text.trimmed
    return text.utf8.count <= 24 ? Base64.bytes(of: text) : nil
  }
}
