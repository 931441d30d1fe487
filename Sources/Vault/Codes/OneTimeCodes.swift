import VaultCrypto
import VaultInterface
public import Wire

/// Why there is no one-time code.
public enum OneTimeCodeError: Error, Hashable, Sendable, CaseIterable {
  /// The card has no field with a key for one-time codes, or not the one that was asked for.
  case none
  /// The field has a key that cannot be read, or is for codes of a kind that is unknown here.
  case unreadable
  /// The code is one of a counter, which must be stored when one is taken, and this request stores nothing.
  case counter
}

/// A one-time code.
public struct CurrentCode: Hashable, Sendable {
  public let code: String
  /// For how many seconds more the code is valid; nil for one of a counter.
  public let secondsLeft: Int?
}

extension VaultSession {
  /// Returns the one-time code of a card at this moment. A code of a counter is stored as taken before it is returned.
  ///
  /// - Parameters:
  ///   - field: the field with the key; nil for the first one that has one.
  ///   - isReading: whether nothing may be stored.
  /// - Throws: ``OneTimeCodeError``; ``VaultError/cardNotFound(_:)``, ``VaultError/damaged(_:)``, ``VaultError/locked``.
  public func oneTimeCode(_ id: Identifier, field: String? = nil, isReading: Bool = false) throws
    -> CurrentCode
  {
    let card = try card(id)
    guard let index = card.oneTimeField(field) else { throw OneTimeCodeError.none }
    let text = card.extraFields[index].value
    guard let password = try OneTimePassword(text) else { throw OneTimeCodeError.none }
    switch password.moment {
    case .time(let period):
      let seconds = clock.wall / 1_000
      guard seconds >= 0 else { throw OneTimeCodeError.unreadable }
      return CurrentCode(
        code: try password.code(UInt64(seconds / period)), secondsLeft: Int(period - seconds % period))
    case .counter(let counter):
      guard !isReading else { throw OneTimeCodeError.counter }
      var fields = card.extraFields
      fields[index].value = try OneTimePassword.next(text) ?? text
      _ = try updateCard(id, revision: Int(card.revision), CardChange(extraFields: fields))
      return CurrentCode(code: try password.code(counter), secondsLeft: nil)
    }
  }
}

extension OneTimePassword {
  fileprivate func code(_ counter: UInt64) throws -> String {
    try OneTimeCode.compute(key: key, counter: counter, digits: digits, hash: hash)
  }
}

extension Card {
  /// The index of an extra field with a key for one-time codes. `totp` stands for the first one in a card without a field of this
  /// name.
  fileprivate func oneTimeField(_ name: String?) -> Int? {
    let names = extraFields.map { FieldName(extraField: $0.label, isConcealed: $0.concealed) }
    if let name, let field = names.named(name) { return names.firstIndex(of: field) }
    guard name == nil || name?.foldedName == "totp" else { return nil }
    return extraFields.firstIndex(where: \.isOneTimePassword)
  }

  /// Whether a one-time code is copied in place of a field's value, which is its key.
  func copiesCode(of name: String) -> Bool {
    oneTimeField(name).map { extraFields[$0].isOneTimePassword } ?? false
  }
}

/// What the one-time codes of an account are made of: a key, and how it is used.
///
/// It is read of a URI as QR codes have them (`otpauth://totp/…?secret=…`, of Google Authenticator's documentation), or of a bare
/// key in base32 (RFC 4648), which stands for six digits by SHA-1 every 30 seconds.
struct OneTimePassword {
  /// What a code counts.
  enum Moment: Hashable {
    /// Periods of so many seconds.
    case time(period: Int64)
    /// Codes that were taken (RFC 4226).
    case counter(UInt64)
  }

  let key: SecretBytes
  let moment: Moment
  let digits: Int
  let hash: OneTimeCode.Hash

  /// The shortest key in base32 that a text without a URI can be, in characters: 80 bits.
  private static let shortestBareKey = 16
  /// The longest text that is read, in bytes.
  private static let longestText = 4_096
  private static let periods: ClosedRange<Int64> = 1...86_400

  /// Reads the text of a field; nil if it is neither a URI nor a key.
  ///
  /// - Throws: ``OneTimeCodeError/unreadable`` for a URI without a key, or with what is unknown here.
  init?(_ text: String) throws {
    let text = text.trimmed
    guard text.utf8.count <= Self.longestText else { return nil }
    guard !ExtraField.isOneTimeURI(text) else {
      try self.init(uri: text)
      return
    }
    guard let key = Self.base32(text), text.utf8.count >= Self.shortestBareKey else { return nil }
    self.init(key: try SecretBytes(copying: key), moment: .time(period: 30), digits: 6, hash: .sha1)
  }

  private init(key: SecretBytes, moment: Moment, digits: Int, hash: OneTimeCode.Hash) {
    (self.key, self.moment, self.digits, self.hash) = (key, moment, digits, hash)
  }

  private init(uri: String) throws {
    let parts = uri.split(separator: "?", maxSplits: 1)
    guard parts.count == 2 else { throw OneTimeCodeError.unreadable }
    let kind = parts[0].dropFirst(10).prefix { $0 != "/" }.lowercased()
    var values: [String: String] = [:]
    for parameter in parts[1].prefix(while: { $0 != "#" }).split(separator: "&") {
      let pair = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      values[pair[0].lowercased()] = pair.count == 2 ? Self.decoded(pair[1]) : ""
    }
    func number(_ name: String, _ initial: Int64) throws -> Int64 {
      guard let text = values[name] else { return initial }
      guard let number = Int64(text), number >= 0 else { throw OneTimeCodeError.unreadable }
      return number
    }
    let hashes: [String: OneTimeCode.Hash] = ["sha1": .sha1, "sha256": .sha256, "sha512": .sha512]
    let (digits, period) = (try number("digits", 6), try number("period", 30))
    guard let key = values["secret"].flatMap(Self.base32), !key.isEmpty,
      let hash = hashes[(values["algorithm"] ?? "sha1").lowercased().filter { $0 != "-" }],
      OneTimeCode.digits.contains(Int(digits)), Self.periods.contains(period), values["encoder"] == nil
    else { throw OneTimeCodeError.unreadable }
    let moment: Moment
    switch kind {
    case "totp": moment = .time(period: period)
    case "hotp": moment = .counter(UInt64(try number("counter", 0)))
    default: throw OneTimeCodeError.unreadable
    }
    self.init(key: try SecretBytes(copying: key), moment: moment, digits: Int(digits), hash: hash)
  }

  /// Returns the text of a URI with the counter after the one in it; nil for codes by time.
  static func next(_ uri: String) throws -> String? {
    guard case .counter(let counter)? = try OneTimePassword(uri)?.moment else { return nil }
    guard counter < Int64.max, let query = uri.firstIndex(of: "?") else { throw OneTimeCodeError.unreadable }
    let fragment = uri[query...].firstIndex(of: "#") ?? uri.endIndex
    var parameters = uri[query..<fragment].dropFirst().split(separator: "&").filter {
      !$0.lowercased().hasPrefix("counter=")
    }
    let new = "counter=\(counter + 1)"
    parameters.append(new[...])
    return uri[...query] + parameters.joined(separator: "&") + uri[fragment...]
  }

  /// The bytes of a text in base32 in whatever case, with spaces and dashes between groups; nil if it has anything else.
  private static func base32(_ text: String) -> [UInt8]? {
    var (bytes, bits, count): ([UInt8], UInt32, UInt32) = ([], 0, 0)
    var hasEnded = false
    for byte in text.utf8 where byte != UInt8(ascii: " ") && byte != UInt8(ascii: "-") {
      let letter = byte | 0x20
      let value: UInt8
      switch byte {
      case UInt8(ascii: "="):
        hasEnded = true
        continue
      case UInt8(ascii: "2")...UInt8(ascii: "7"): value = byte - UInt8(ascii: "2") + 26
      case _ where UInt8(ascii: "a")...UInt8(ascii: "z") ~= letter: value = letter - UInt8(ascii: "a")
      default: return nil
      }
      guard !hasEnded else { return nil }
      (bits, count) = (bits << 5 | UInt32(value), count + 5)
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> count))
      }
    }
    return bytes
  }

  /// A value of a URI without percent-encoding; what is malformed stays as it is.
  private static func decoded(_ text: Substring) -> String {
    text.utf8.percentDecoded.map { String(decoding: $0, as: UTF8.self) } ?? String(text)
  }
}
