import Foundation

/// `protocol/read_vault.py`, which knows the vault's file from VAULT-FORMAT.md alone.
public enum IndependentReader {
  /// The cards that it prints.
  public static func cards(of vault: String, password: String) throws -> [[String: any Sendable]] {
    let script = Repository.protocolDirectory.appending(path: "read_vault.py").path
    let (output, error, status) = try run(CheckScript.python, ["-B", script, vault], input: password + "\n")
    guard status == 0 else { throw Failure("read_vault.py ends with \(status): \(error)") }
    return try output.split(separator: "\n").map { line in
      let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
      guard let card = value as? [String: any Sendable] else { throw Failure("not a card: \(line)") }
      return card
    }
  }

  /// A card of the protocol in the form in which the reader prints cards: fields by key, without labels.
  public static func form(of card: [String: any Sendable]) throws -> [String: any Sendable] {
    guard let fields = card["fields"] as? [[String: any Sendable]] else {
      throw Failure("a card without fields")
    }
    var form = card
    // The reader names attachments only where there are any.
    if (card["attachments"] as? [any Sendable])?.isEmpty ?? true { form["attachments"] = nil }
    form["fields"] = Dictionary(
      uniqueKeysWithValues: try fields.map { field -> (String, any Sendable) in
        guard let key = field["key"] as? String, let value = field["value"] else {
          throw Failure("a field without key")
        }
        return (key, value)
      })
    return form
  }
}
