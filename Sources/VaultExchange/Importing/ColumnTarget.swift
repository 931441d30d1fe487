import VaultInterface

/// The part of a card that a column becomes. ``description`` is its name in the protocol.
public enum ColumnTarget: Hashable, Sendable {
  /// The card's title.
  case title
  /// The card's type, by its name in the protocol or its label; other texts become an extra field.
  case type
  /// The card's group, by its name in the protocol or its label; other texts become a tag.
  case group
  /// The card's tags, separated by commas or semicolons.
  case tags
  /// The path of the entry's folder, which becomes a tag.
  case folder
  /// Whether the card is pinned.
  case pinned
  /// Whether the entry was archived: a tag says so.
  case archived
  /// When the card was created.
  case createdAt
  /// When the card was last changed.
  case modifiedAt
  /// A part of a person's name; together they are the name, in the order of its language.
  case givenName, middleName, familyName, namePrefix, nameSuffix
  /// The second line of an address: a floor, or the district.
  case extendedAddress
  /// A field of a template, by its key; on a card whose type has no such key, an extra field.
  case field(String)
  /// The user name of a login.
  case userName
  /// The password of a login: a concealed field.
  case password
  /// The address of a site.
  case website
  /// The secret of one-time passwords: a concealed field.
  case oneTimePassword
  /// Lines of `name: value`, each an extra field.
  case fieldLines
  /// Extra fields, as the JSON of a card has them.
  case extraFields
  /// An extra field, with its label.
  case extra(String, concealed: Bool)
  /// Nothing.
  case ignored

  /// Creates a target from its name; nil if the name is unknown.
  public init?(_ name: String) {
    if let simple = Self.simple.first(where: { $0.description == name }) {
      self = simple
    } else if let label = Self.label(of: name, after: "extra:") {
      self = .extra(label, concealed: false)
    } else if let label = Self.label(of: name, after: "concealed:") {
      self = .extra(label, concealed: true)
    } else if CardTemplate.all.contains(where: { $0.field(name) != nil }) {
      self = .field(name)
    } else {
      return nil
    }
  }

  /// Returns the text after a prefix, compared by code points because a label may begin with a combining mark.
  private static func label(of name: String, after prefix: String) -> String? {
    guard name.unicodeScalars.starts(with: prefix.unicodeScalars) else { return nil }
    let label = String(name.unicodeScalars.dropFirst(prefix.unicodeScalars.count))
    return label.isBlank ? nil : label
  }

  private static let simple: [ColumnTarget] = [
    .title, .type, .group, .tags, .folder, .pinned, .archived, .createdAt, .modifiedAt, .userName, .password,
    .website, .oneTimePassword, .fieldLines, .extraFields, .givenName, .middleName, .familyName, .namePrefix,
    .nameSuffix, .extendedAddress, .ignored,
  ]

  var isExtra: Bool { if case .extra = self { true } else { false } }

  /// Whether several columns may have this target.
  var allowsSeveralColumns: Bool {
    switch self {
    case .extra, .ignored, .website, .tags, .folder: true
    default: false
    }
  }
}

extension ColumnTarget: CustomStringConvertible {
  /// The name in the protocol.
  public var description: String {
    switch self {
    case .title: "title"
    case .type: "type"
    case .group: "group"
    case .tags: "tags"
    case .folder: "folder"
    case .pinned: "pinned"
    case .archived: "archived"
    case .createdAt: "createdAt"
    case .modifiedAt: "modifiedAt"
    case .givenName: "givenName"
    case .middleName: "middleName"
    case .familyName: "familyName"
    case .namePrefix: "namePrefix"
    case .nameSuffix: "nameSuffix"
    case .extendedAddress: "extendedAddress"
    case .field(let key): key
    case .userName: "username"
    case .password: "password"
    case .website: "website"
    case .oneTimePassword: "totp"
    case .fieldLines: "fieldLines"
    case .extraFields: "extraFields"
    case .extra(let label, let concealed): (concealed ? "concealed:" : "extra:") + label
    case .ignored: "ignore"
    }
  }
}

/// Tells secrets by their names, in the languages of the programs whose files are imported.
enum SecretName {
  /// Whether what has this name is a secret: a password, a PIN, a key, a card number and their likes.
  static func isSecret(_ name: String) -> Bool {
    let words = words(name)
    let whole = words.joined()
    if wholeNames.contains(whole) { return true }
    if openParts.contains(where: { occurs($0, in: whole) }) { return false }
    return words.contains(where: secretWords.contains) || parts.contains { occurs($0, in: whole) }
  }

  /// Whether the name or the value tells that it is a secret.
  static func isSecret(_ name: String, _ value: String) -> Bool { isSecret(name) || isSecret(value: value) }

  /// Whether a value shows itself that it is a secret.
  static func isSecret(value: String) -> Bool {
    let value = value.lowercased()
    return occurs("otpauth://", in: value) || occurs("private key-----", in: value)
  }

  /// Compares bytes: `contains(_:)` compares by canonical equivalence, which takes a hundred times as long.
  private static func occurs(_ part: String, in text: String) -> Bool {
    text[...].range(ofFirst: part) != nil
  }

  /// The words of a name in lower case: `cardNumber`, `card_number` and `Card number` have the same ones.
  static func words(_ name: String) -> [String] {
    var words: [String] = []
    var previous: Unicode.Scalar?
    for scalar in name.unicodeScalars {
      let isLetter = scalar.properties.isAlphabetic
      let begins =
        previous.map { before in
          !before.properties.isAlphabetic
            || scalar.properties.isUppercase && before.properties.isLowercase
            || scalar.properties.isIdeographic != before.properties.isIdeographic
        } ?? true
      if isLetter {
        let letter = scalar.properties.lowercaseMapping
        if begins || words.isEmpty { words.append(letter) } else { words[words.count - 1] += letter }
      }
      previous = scalar
    }
    return words
  }

  /// What has one of these in its name is no secret.
  private static let openParts = ["publickey", "fingerprint", "passwordhint"]
  private static let wholeNames: Set<String> = ["number", "code", "num", "cardno", "fa"]

  private static let secretWords: Set<String> = [
    "pin", "pwd", "pw", "pass", "passwd", "psw", "cvc", "cvv", "csc", "cvn", "otp", "totp", "hotp", "key",
    "keys",
    "token", "secret", "seed", "ssn", "clave", "clé", "hash", "nip", "tan", "puk", "ключ", "код",
  ]

  /// What is secret in any place of a name that is written without spaces.
  private static let parts = [
    "password", "passphrase", "passcode", "passkey", "secret", "credential", "totp", "otpauth", "privatekey",
    "apikey",
    "accesskey", "cardnumber", "creditcard", "accountkey", "accountnumber", "securitycode", "securitynumber",
    "verificationnumber", "verificationcode", "recoverycode", "backupcode", "mnemonic", "socialsecurity",
    "passportnumber", "licensenumber", "licencenumber", "routingnumber", "iban", "passwort", "kennwort",
    "schlüssel",
    "geheim", "kartennummer", "kontonummer", "motdepasse", "numérodecarte", "contraseña", "contrasena",
    "senha",
    "chave", "wachtwoord", "hasło", "haslo", "heslo", "lösenord", "adgangskode", "passord", "salasana",
    "jelszó",
    "parola", "şifre", "пароль", "κωδικός", "密码", "密碼", "口令", "密钥", "密鑰", "金鑰", "私钥", "私鑰", "验证码", "驗證碼",
    "安全码", "安全碼", "卡号", "卡號", "助记词", "令牌", "身份证", "身分證", "护照号", "恢复码", "备用码", "パスワード", "暗証番号",
    "秘密鍵", "カード番号", "비밀번호", "카드번호",
  ]
}
