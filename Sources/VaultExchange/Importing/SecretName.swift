import VaultInterface

/// Tells secrets by their names, in the languages of the programs whose files are imported.
enum SecretName {
  /// Whether what has this name is a secret: a password, a PIN, a key, a card number and their likes.
  static func isSecret(_ name: String) -> Bool {
    let words = words(name)
    let whole = words.joined()
    if wholeNames.contains(whole) { return true }
    if ["publickey", "fingerprint", "passwordhint"].contains(where: whole.contains) { return false }
    return words.contains(where: secretWords.contains) || parts.contains(where: whole.contains)
  }

  /// Whether the name or the value tells that it is a secret.
  static func isSecret(_ name: String, _ value: String) -> Bool { isSecret(name) || isSecret(value: value) }

  /// Whether a value shows itself that it is a secret.
  static func isSecret(value: String) -> Bool {
    let value = value.lowercased()
    return value.contains("otpauth://") || value.contains("private key-----")
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
