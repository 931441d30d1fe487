extension Digest {
  /// The words of a digest in one language.
  struct Words {
    private let language: Language

    init(_ language: Language) {
      self.language = language
    }

    var cards: String { choose(" cards", " 张卡片") }
    var floor: String { choose("floor", "下限") }
    var figure: String { choose("figure of the design", "设计目标") }
    var met: String { choose(": met", "：达到") }

    /// That a figure is not met.
    func missed(by ratio: Double, at cards: Int) -> String {
      let percent = Quantity.excess(of: ratio)
      return choose("; \(percent) above it at \(grouped(cards))", "；超出 \(percent)（\(grouped(cards)) 张时）")
    }

    /// What was measured, and on what.
    func introduction(_ machine: [(name: String, value: String)]) -> String {
      let described = machine.filter { !["load before"].contains($0.name) }.map { name, value in
        ["processor", "memory", "system"].contains(name) || value.hasPrefix(name) ? value : "\(name) \(value)"
      }
      return choose("Medians. ", "取中位数。") + described.joined(separator: choose(", ", "，")) + choose(".", "。")
    }

    func title(of work: Work) -> String {
      choose(work.title, Self.chinese[work] ?? work.title)
    }

    func title(of floor: Floor) -> String {
      choose(floor.title, Self.chineseFloors[floor] ?? floor.title)
    }

    private func choose(_ english: String, _ chinese: String) -> String {
      language == .english ? english : chinese
    }

    static let chinese: [Work: String] = [
      .unlock: "解锁（不计密钥派生）", .searchNothing: "搜索，无结果：每张卡片都要打开", .firstPage: "列表第一页（50 张）",
      .get: "读取一张卡片", .create: "新建，写入磁盘", .lock: "从锁定到再次可用", .start: "从启动到回答 `initialize`",
      .roundTrip: "一个小请求往返（`vault/status`）", .importing: "再导入 10,000 张卡片，写入磁盘",
      .attachPath: "按路径加入 10 MiB 附件，写入磁盘", .exportPath: "按路径导出 10 MiB 附件，写入磁盘",
      .marking: "给 12 MP 的 JPEG 加水印，写入磁盘", .thumbnail: "12 MP 的 JPEG 的缩略图",
      .memoryUnlocked: "解锁后的内存（RSS）", .memorySearched: "搜索一次之后的内存（RSS）",
      .memoryImported: "内存峰值，再导入 10,000 张卡片之后（RSS）",
      .memoryAttached: "内存峰值，加入和导出 10 MiB 附件之后（RSS）",
    ]

    static let chineseFloors: [Floor: String] = [
      .echo: "原样返回的 C 程序", .echoStart: "启动并返回一帧的 C 程序", .commit: "单独一次 SQLite 提交",
      .decryption: "仅 AES-256-GCM", .content: "AES-256-GCM 加密 10 MiB 并提交", .before: "搜索之前的内存",
    ]
  }
}
