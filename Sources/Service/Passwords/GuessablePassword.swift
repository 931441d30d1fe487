import CResources
import VaultInterface
import Wire

/// The reasons why a new password is easy to guess (R11).
enum GuessablePassword {
  /// The most common passwords that are long enough for a vault.
  private static let commonPasswords = unsafe Set(
    String(resource: quickvault_common_passwords(), quickvault_common_passwords_count())
      .split(separator: "\n"))

  /// Returns a warning about a password that is easy to guess, else nothing. Case and width make no difference.
  static func warnings(about password: String) -> [Issue] {
    let text = password.folded
    let folded = Array(text.unicodeScalars)
    if Set(text).count == 1 {
      return [
        warning(.repeatedCharacter, "The password is one character repeated", "密码由同一个字符重复组成")
      ]
    }
    if isSequence(folded) || isSequence(folded.reversed()) {
      return [warning(.sequence, "The password is a plain sequence", "密码是简单的连续字符")]
    }
    if commonPasswords.contains(text[...]) {
      return [warning(.common, "The password is one of the most common ones", "这是最常见的密码之一")]
    }
    return []
  }

  private static func warning(_ code: Issue.Code, _ english: String, _ simplifiedChinese: String) -> Issue {
    let message = Localized(english + " and easy to guess.", simplifiedChinese + "，很容易被猜到。")
    return Issue(field: "password", code: code, message: message)
  }

  /// The rows of a keyboard that are long enough for a password.
  private static let keyboardRows = ["qwertyuiop", "asdfghjkl"].map { Array($0.unicodeScalars) }

  /// Whether each character follows the one before it in Unicode, or 0 follows 9, or all are neighbors on a keyboard.
  private static func isSequence(_ text: [Unicode.Scalar]) -> Bool {
    let areNeighbors = zip(text, text.dropFirst()).allSatisfy { left, right in
      right.value == left.value + 1 || left == "9" && right == "0"
    }
    return areNeighbors
      || keyboardRows.contains { row in row.indices.contains { row[$0...].starts(with: text) } }
  }
}
