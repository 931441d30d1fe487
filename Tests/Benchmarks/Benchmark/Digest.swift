/// The results that a user cares about, as a short table for the READMEs.
struct Digest {
  enum Language: CaseIterable {
    case english, chinese
  }

  /// The rows of the table.
  static let works: [Work] = [.unlock, .searchNothing, .create, .lock, .memoryUnlocked]

  let results: Results
  let sizes: [Int]
  let machine: [(name: String, value: String)]

  /// The text, which ends with a line break.
  func text(in language: Language) -> String {
    let words = Words(language)
    let peer = sizes.last { size in !peers(at: size).isEmpty }
    let heading =
      [""] + sizes.map(words.cards) + (peer.map { ["KeePassXC" + words.comma + words.cards($0)] } ?? [])
    let rows = Self.works.filter { work in results.measurements.contains { $0.work == work } }.map { work in
      [words.title(of: work)] + sizes.map { quantity(results[work, $0]?.summary, of: work) }
        + (peer.map { [quantity(results[work, $0]?.others[.keePassXC], of: work)] } ?? [])
    }
    return "\(words.introduction(machine))\n\n\(Table.compact([heading] + rows))"
  }

  private func peers(at size: Int) -> [Summary] {
    Self.works.compactMap { results[$0, size]?.others[.keePassXC] }
  }

  private func quantity(_ summary: Summary?, of work: Work) -> String {
    summary.map { work.quantity($0.median) } ?? ""
  }
}

// MARK: On a page

extension Digest {
  static let beginning = "<!-- costs: written by `make bench-record` -->\n"
  static let end = "<!-- end of costs -->\n"

  /// Returns a page with other text between the two marks.
  ///
  /// - Throws: ``BenchmarkError/wrong(_:)`` unless the page has each mark once, in this order.
  static func replace(in page: String, with text: String) throws -> String {
    let parts = page.split(separator: beginning, omittingEmptySubsequences: false)
    let rest = parts.last?.split(separator: end, omittingEmptySubsequences: false) ?? []
    guard parts.count == 2, rest.count == 2 else { throw BenchmarkError.wrong("a page without its marks") }
    return "\(parts[0])\(beginning)\(text)\(end)\(rest[1])"
  }
}

// MARK: Words

extension Digest {
  /// The words of a digest in one language.
  struct Words {
    let language: Language

    init(_ language: Language) {
      self.language = language
    }

    func cards(_ count: Int) -> String { grouped(count) + choose(" cards", " 张卡片") }

    var comma: String { choose(", ", "，") }

    /// The sentence that says what was measured, and where.
    func introduction(_ machine: [(name: String, value: String)]) -> String {
      let values = ["processor", "memory", "system", "file system"].compactMap { name in
        machine.first { $0.name == name }?.value
      }
      return choose("Medians on ", "中位数，测试环境：") + values.joined(separator: comma)
        + choose(":", "。")
    }

    func title(of work: Work) -> String {
      guard let (english, chinese) = Self.titles[work] else { return work.title }
      return choose(english, chinese)
    }

    private func choose(_ english: String, _ chinese: String) -> String {
      language == .english ? english : chinese
    }

    static let titles: [Work: (english: String, chinese: String)] = [
      .unlock: ("unlock, without deriving the key", "解锁（不计密钥派生）"),
      .searchNothing: ("search every card", "搜索全部卡片"),
      .create: ("save a new card to disk", "新建卡片并写入磁盘"),
      .lock: ("lock, and be ready again", "锁定并重新就绪"),
      .memoryUnlocked: ("memory while unlocked", "解锁后占用的内存"),
    ]
  }
}
