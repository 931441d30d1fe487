import JSON
import VaultModel

/// An entry of a KeePass file.
struct KeePassEntry {
  /// The maximum number of strings that are kept; further ones are only counted.
  private static let stringLimit = 200

  private var login = Login()
  private var strings = 0
  var tags = ""
  var dates = EntryDates()
  var attachments = 0
  var isEncrypted = false

  /// Adds one of its strings.
  mutating func add(_ key: String, _ value: String, isProtected: Bool) {
    strings += 1
    guard strings <= Self.stringLimit, !value.isEmpty else { return }
    switch key {
    case "Title": login.title = value
    case "UserName": (login.userName, login.concealsUserName) = (value, isProtected)
    case "Password": login.password = value
    case "URL" where !isProtected: login.websites.insert(value, at: 0)
    case "Notes" where !isProtected: login.notes = value
    case "otp": login.oneTimePassword = value
    default:
      if key.hasPrefix("KP2A_URL"), !isProtected { return login.websites.append(value) }
      login.others.append(ExtraField(label: key, value: value, concealed: isProtected || Self.isSecret(key)))
    }
  }

  /// The names of one-time password secrets in KeePass and its plug-ins.
  private static func isSecret(_ key: String) -> Bool {
    let key = key.lowercased()
    return key.hasPrefix("totp ") || key.hasPrefix("timeotp-secret") || key.hasPrefix("hmacotp-secret")
      || key.hasPrefix("kpex_passkey")
  }

  func imported(line: Int, folder: String, isInRecycleBin: Bool, _ options: ImportOptions) -> ImportEntry {
    if isInRecycleBin {
      return ImportEntry(line: line, title: login.title, notImported: ImportMessages.recycleBin)
    }
    if isEncrypted {
      return ImportEntry(line: line, title: login.title, unreadable: ImportMessages.encryptedValue)
    }
    if strings > Self.stringLimit {
      return ImportEntry(line: line, title: login.title, unreadable: ImportMessages.tooManyProperties)
    }
    var login = login
    login.tags = [folder] + tags.split { ",;".contains($0) }.map(String.init)
    var card = login.cardBuilder(group: options.group, language: options.language)
    if attachments > 0 { card.warnNotImported("attachments", ImportMessages.attachment) }
    return card.entry(line: line, dates: dates)
  }

  /// A time as KeePass writes it: RFC 3339, or the seconds since the year 1 as eight little-endian bytes in base64.
  static func time(_ text: String) -> Timestamp? {
    let text = text.trimmed
    if let time = Timestamp(text) { return time }
    guard text.utf8.count == 12 else { return nil }
    var bytes = [UInt8](repeating: 0, count: Base64.decodedCount(12))
    var span = bytes.mutableSpan
    var content = unsafe span.mutableBytes
    guard Base64.decode(text, into: &content) == 8 else { return nil }
    let seconds = bytes.prefix(8).reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) }
    let (since1970, overflow) = seconds.subtractingReportingOverflow(62_135_596_800)
    guard !overflow, (0...253_402_300_799).contains(since1970) else { return nil }
    return Timestamp(milliseconds: since1970 * 1_000)
  }
}
