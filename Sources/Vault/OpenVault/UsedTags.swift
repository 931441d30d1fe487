import VaultInterface
import Wire

/// How the tags in use are written (R15), without their texts, so that a card can be written without reading all others.
///
/// It keeps hashes with this process's random seed, because an unlocked vault keeps no decrypted text in memory.
struct UsedTags: Sendable {
  /// How a tag is written.
  enum Spelling {
    /// As it was given: nothing in the vault writes it in another way.
    case asGiven
    /// As on this card. The hash detects whether the card was changed since.
    case asOn(Identifier, hash: Int)
    /// Only reading every card shows it.
    case unknown
  }

  /// The cards with a tag.
  private struct Use {
    /// How often the tag is on a card.
    var count: Int
    /// The hash of the text that the oldest card has; nil if that is unknown.
    var spelling: Int?
    /// A card with that text.
    var card: Identifier
    /// Whether all cards have the same text.
    var isUniform = true
  }

  /// By the hash of what the spellings of a tag have in common.
  private var uses: [Int: Use] = [:]

  init() {}

  /// Adds a tag that is not known yet.
  ///
  /// - Parameters:
  ///   - text: the text of the oldest card with it.
  ///   - count: how often it is on a card.
  ///   - isUniform: whether all cards have the same text.
  mutating func add(_ text: String, of card: Identifier, count: Int, isUniform: Bool) {
    uses[text.tagKey.hashValue] = Use(
      count: count, spelling: Self.hash(text), card: card, isUniform: isUniform)
  }

  func spelling(of tag: String) -> Spelling {
    guard let use = uses[tag.tagKey.hashValue] else { return .asGiven }
    guard let spelling = use.spelling else { return .unknown }
    return spelling == Self.hash(tag) ? .asGiven : .asOn(use.card, hash: spelling)
  }

  /// Whether a text has a hash.
  static func isText(_ text: String, ofHash hash: Int) -> Bool {
    Self.hash(text) == hash
  }

  /// Notes that a card has other tags now.
  mutating func apply(_ change: TagChange) {
    for tag in change.before { remove(tag) }
    for tag in change.after { add(tag, to: change.card) }
  }

  private mutating func add(_ tag: String, to card: Identifier) {
    let (key, spelling) = (tag.tagKey.hashValue, Self.hash(tag))
    guard var use = uses.removeValue(forKey: key) else {
      uses[key] = Use(count: 1, spelling: spelling, card: card)
      return
    }
    use.count += 1
    // The card may be older than those with the other text.
    if use.spelling != spelling { use.spelling = nil }
    uses[key] = use
  }

  private mutating func remove(_ tag: String) {
    let key = tag.tagKey.hashValue
    guard var use = uses.removeValue(forKey: key), use.count > 1 else { return }
    use.count -= 1
    // It may have been on the oldest card.
    if !use.isUniform { use.spelling = nil }
    uses[key] = use
  }

  /// The hash of a text as it is written. Texts that are equal in Unicode's terms are different ones here.
  private static func hash(_ text: String) -> Int { Array(text.utf8).hashValue }
}

/// The tags of a card before and after a change of it.
struct TagChange: Sendable {
  let card: Identifier
  let before, after: [String]
}

extension OpenVault {
  /// Returns tags as the vault's cards write them (R15).
  ///
  /// - Returns: nil if only reading every card shows it.
  /// - Throws: as ``refresh()``.
  func spelledAsKnown(_ tags: [String]) throws -> [String]? {
    // The request began with a refresh, and the mark takes no system call.
    if appliedCommit == nil || file.lastCommit != appliedCommit { try refresh() }
    guard let usedTags else { return nil }
    var texts: [String] = []
    for tag in tags.map(\.trimmed) {
      switch usedTags.spelling(of: tag) {
      case .asGiven: texts.append(tag)
      case .asOn(let card, let hash):
        let card = try? reading { try summary(card, in: $0) }
        guard let known = card?.tags.first(where: { UsedTags.isText($0, ofHash: hash) }) else { return nil }
        texts.append(known)
      case .unknown: return nil
      }
    }
    var spelling = TagSpelling(texts)
    return spelling.spell(tags)
  }
}
