import VaultInterface
import Wire

/// Resolves KeePass' references from one entry to a field of another: `{REF:P@I:46C9B1FFBD4ABC4BBB260C6190BAD20C}`.
struct KeePassReferences {
  /// How many references may lead to each other, and how many one text may have.
  private static let limit = 10

  private let entries: [KeePassEntry]
  private var identifiers: [String: Int] = [:]

  init(_ entries: [KeePassEntry]) {
    self.entries = entries
    for (index, entry) in entries.enumerated() {
      guard let bytes = Self.bytes(ofBase64: entry.identifier), bytes.count == 16 else { continue }
      identifiers[bytes.hexadecimal.uppercased()] = index
    }
  }

  /// A text with its references resolved, and whether all were.
  func resolved(_ text: String, depth: Int = 0) -> (text: String, isWhole: Bool) {
    guard text.contains("{REF:") else { return (text, true) }
    var (result, rest, isWhole, count) = ("", text[...], true, 0)
    while let start = rest.firstRange(of: "{REF:"), count < Self.limit, depth < Self.limit {
      count += 1
      result += rest[..<start.lowerBound]
      rest = rest[start.lowerBound...]
      guard let end = rest.firstIndex(of: "}") else { break }
      let reference = rest[start.upperBound..<end]
      if let value = value(of: reference) {
        let inner = resolved(value, depth: depth + 1)
        result += inner.text
        isWhole = isWhole && inner.isWhole
      } else {
        result += rest[...end]
        isWhole = false
      }
      rest = rest[rest.index(after: end)...]
    }
    return (result + rest, isWhole && !rest.contains("{REF:"))
  }

  private static let fields: [Character: String] = [
    "T": "Title", "U": "UserName", "P": "Password", "A": "URL", "N": "Notes",
  ]

  /// The value that `P@I:…` stands for: the field before the @ of the entry that is sought after it.
  private func value(of reference: Substring) -> String? {
    let sides = reference.split(separator: ":", maxSplits: 1).map(String.init)
    guard sides.count == 2, sides[0].count == 3, let wanted = sides[0].uppercased().first,
      let sought = sides[0].uppercased().last
    else { return nil }
    let entry: KeePassEntry?
    switch sought {
    case "I": entry = identifiers[sides[1].uppercased()].map { entries[$0] }
    case "O": entry = entries.first { $0.texts.contains { $0.value == sides[1] } }
    default:
      guard let key = Self.fields[sought] else { return nil }
      entry = entries.first { $0.value(key).lowercased() == sides[1].lowercased() }
    }
    guard let entry else { return nil }
    if wanted == "I" { return sides[1] }
    return Self.fields[wanted].map(entry.value)
  }

  /// The bytes of up to 24 characters of Base64; nil for any other text.
  static func bytes(ofBase64 text: String) -> [UInt8]? {
    let text = text.trimmed
    return text.utf8.count <= 24 ? Base64.bytes(of: text) : nil
  }
}
