import CResources
import Glibc
import VaultCrypto
public import VaultInterface
import Wire

/// A random password, and how hard it is to guess.
public struct GeneratedPassword {
  public let text: String
  /// The logarithm, to base 2, of the number of passwords that were equally likely.
  public let bits: Double

  /// Generates a password.
  public init(_ recipe: PasswordRecipe) throws {
    var numbers = RandomNumbers()
    switch recipe {
    case .words(let count):
      let list = Self.words
      let words = try (0..<count).map { _ in list[try numbers.next(below: list.count)] }
      (text, bits) = (words.joined(separator: "-"), Double(count) * log2(Double(list.count)))
    case .characters(let count, let kinds):
      let classes = kinds.map(\.characters)
      let all = classes.flatMap { $0 }
      var characters: [UInt8]
      // Each one that has a character of each kind is as likely as the others.
      repeat {
        characters = try (0..<count).map { _ in all[try numbers.next(below: all.count)] }
      } while !classes.allSatisfy { !Set($0).isDisjoint(with: characters) }
      text = String(decoding: characters, as: UTF8.self)
      bits = Self.bits(count, classes.map(\.count))
    }
  }

  private static var words: [Substring] {
    unsafe String(resource: quickvault_words(), quickvault_words_count()).split(separator: "\n")
  }

  /// The logarithm of the number of texts with at least one character of each kind: all, less those without one, and so on.
  private static func bits(_ count: Int, _ sizes: [Int]) -> Double {
    let total = sizes.reduce(0, +)
    let share = (0..<1 << sizes.count).reduce(0.0) { sum, subset in
      let missing = sizes.indices.filter { subset >> $0 & 1 == 1 }
      let left = Double(total - missing.reduce(0) { $0 + sizes[$1] }) / Double(total)
      return sum + (missing.count.isMultiple(of: 2) ? 1 : -1) * pow(left, Double(count))
    }
    return Double(count) * log2(Double(total)) + log2(share)
  }
}
