extension ExtraField {
  /// Whether the value is the key of one-time codes: it is concealed, and is a URI for such codes or has a name that says so.
  public var isOneTimePassword: Bool {
    concealed && (Self.isOneTimeURI(value) || Self.oneTimeNames.contains(label.foldedName))
  }

  /// Whether a text is meant as a URI for one-time codes, as QR codes have them.
  package static func isOneTimeURI(_ text: String) -> Bool {
    text.trimmed.prefix(10).lowercased() == "otpauth://"
  }

  /// What people and importers call the key of one-time codes, folded.
  private static let oneTimeNames: Set<String> = [
    "totp", "otp", "hotp", "2fa", "otpauth", "totp secret", "totp seed", "one-time password", "one-time code",
    "authenticator key", "authenticator key (totp)", "一次性密码", "动态密码", "动态口令", "验证器密钥",
  ]
}
