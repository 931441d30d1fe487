/// What a generated password is made of.
public enum PasswordRecipe: Hashable, Sendable {
  /// So many characters, at least one of each kind. There is one kind or more, and no more kinds than characters.
  case characters(Int, [CharacterKind])
  /// So many words of the EFF's large list, joined by dashes.
  case words(Int)

  /// The numbers of characters that a password can have.
  public static let lengths = 8...128
  /// The number of characters without a choice.
  public static let defaultLength = 20
  /// The numbers of words that a password can have.
  public static let wordCounts = 3...20
}

/// The characters that a generated password may have. The raw values are used in the protocol.
public enum CharacterKind: String, CaseIterable, Hashable, Sendable {
  case lowercase, uppercase, digits
  /// The marks of ASCII.
  case symbols

  /// The characters in ASCII.
  public var characters: [UInt8] {
    switch self {
    case .lowercase: Array("abcdefghijklmnopqrstuvwxyz".utf8)
    case .uppercase: Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
    case .digits: Array("0123456789".utf8)
    case .symbols: Array("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~".utf8)
    }
  }
}
