import JSON
import VaultModel
import VaultSession

/// An error of the application as the protocol tells it (R17).
protocol Refusal: Error {
  /// The number on the wire. Numbers are never given to another error.
  var code: Int { get }
  /// The stable name that `data.kind` carries.
  var kind: String { get }
  /// One sentence for a person.
  var words: Localized { get }
  /// Whether only the answer tells of it, and no notification to show.
  var isSilent: Bool { get }
  /// What a program is told beyond the kind.
  func details(in language: Language) -> [JSON.Member]
}

extension VaultError: Refusal {}

extension Refusal {
  var isSilent: Bool { false }

  /// The error for what was thrown, whoever threw it.
  static func from(_ error: any Error) -> any Refusal where Self == VaultError {
    (error as? any Refusal) ?? VaultError(error)
  }
}
