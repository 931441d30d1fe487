/// A language that QuickVault speaks. The raw value is its BCP 47 tag, as on the wire and in the settings.
public enum Language: String, CaseIterable, Hashable, Sendable {
  case english = "en"
  case simplifiedChinese = "zh-Hans"

  /// The language for a locale as a client or the environment names it.
  ///
  /// Every Chinese locale (`zh`, `zh-Hant`, `zh_CN.UTF-8`, in any case) selects Simplified Chinese; every other text, the
  /// empty text and `C` included, selects English.
  /// - Parameter locale: a BCP 47 tag or a POSIX locale name.
  public init(locale: String) {
    let subtag = locale.unicodeScalars.prefix { $0 != "-" && $0 != "_" && $0 != "." && $0 != "@" }
    let isChinese = subtag.elementsEqual("zh".unicodeScalars) { $0.properties.lowercaseMapping == String($1) }
    self = isChinese ? .simplifiedChinese : .english
  }
}

/// A text that a person sees, in every language that QuickVault speaks.
public struct Localized: Hashable, Sendable {
  /// The English text.
  public let english: String
  /// The text in Simplified Chinese.
  public let simplifiedChinese: String

  /// A text in both languages.
  public init(_ english: String, _ simplifiedChinese: String) {
    self.english = english
    self.simplifiedChinese = simplifiedChinese
  }

  /// A text that the user wrote, the same in every language.
  public init(verbatim text: String) {
    self.init(text, text)
  }

  /// The text in one language.
  public subscript(language: Language) -> String {
    switch language {
    case .english: english
    case .simplifiedChinese: simplifiedChinese
    }
  }
}

/// A choice of how the key of a vault is derived from its password.
public enum KeyDerivationRequest: Sendable, Hashable {
  /// PBKDF2-HMAC-SHA256 (RFC 8018); nil for 600,000 iterations.
  case pbkdf2(iterations: Int?)
  /// Argon2id (RFC 9106); nil for 3 passes over 64 MiB.
  case argon2id(iterations: Int?, memoryKiB: Int?)
}

/// Texts for people by their names, as a program holds them in a file a language: a line `== NAME` begins a text, and what comes
/// before the first is for whoever edits the file.
package struct LocalizedTexts: Sendable {
  private let english, simplifiedChinese: [Substring: String]

  package init(english: String, simplifiedChinese: String) {
    (self.english, self.simplifiedChinese) = (Self.texts(english), Self.texts(simplifiedChinese))
  }

  /// A text without the line breaks around it; the name where a language has none.
  package subscript(name: String) -> Localized {
    Localized(english[name[...]] ?? name, simplifiedChinese[name[...]] ?? name)
  }

  private static func texts(_ file: String) -> [Substring: String] {
    var texts: [Substring: String] = [:]
    for text in file.split(separator: "\n== ").dropFirst() {
      let lines = text.split(separator: "\n", maxSplits: 1)
      if let name = lines.first, let text = lines.dropFirst().first { texts[name] = String(text).trimmed }
    }
    return texts
  }
}
