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
