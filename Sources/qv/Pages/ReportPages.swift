import VaultInterface
import Wire

extension TerminalPage {
  /// The recent unlocks and locks.
  ///
  /// - Parameter limit: how many were asked for.
  init(_ entries: [LogEntry], limit: Int) {
    let unlock = entries.first { $0.event == "unlocked" }
    self.init(
      unlock.map {
        let way = $0.means.flatMap { Localized.ways[$0] }
        return Localized(
          "The vault was last unlocked \($0.time.local)\(way.map { " " + $0.english } ?? "").",
          "上次解锁：\($0.time.local)\(way.map { "，" + $0.simplifiedChinese } ?? "")。")
      } ?? Localized("The log has no unlock yet.", "日志中还没有解锁记录。"))
    addRows(entries.map { Row($0.time.local, $0.text) }, ifEmpty: Localized("The log is empty.", "日志为空。"))
    let isWrong = entries.contains { ["wrongPassword", "lockedOut", "refused"].contains($0.event) }
    addNext([
      entries.count < limit
        ? nil
        : Suggestion("qv log --limit", Localized(verbatim: "N"), Localized("show more events", "显示更多事件")),
      isWrong
        ? Suggestion("qv password", Localized("change the password, if it was not you", "如非本人操作，请更改主密码"))
        : nil,
      Suggestion("qv clients", Localized("the programs that use the vault now", "正在使用保险库的程序")),
    ])
  }

  /// The settings, by their labels.
  init(_ settings: Settings) {
    self.init(Localized("These are the settings of the vault.", "保险库的设置如下。"))
    addFacts(
      Setting.allCases.compactMap { setting in
        if setting.template != nil, settings[setting] == .none { return nil }
        return (setting.description.label, setting.name(of: settings[setting]).shown)
      })
    addNext([
      Suggestion(
        "qv settings", Localized("'LABEL=VALUE'", "'名称=值'"),
        Localized("change one, such as to off", "更改一项，例如改为 off")),
      Suggestion("qv help settings", Localized("the values of each, and short names", "各项的取值和短名称")),
      Suggestion("qv password", Localized("change the master password", "更改主密码")),
    ])
  }

  /// The result of a check.
  init(_ report: VaultVerify.Response) {
    switch report.integrity {
    case .intact: self.init(Localized("The vault is intact.", "保险库完好。"))
    case .older: self.init(Localized("The vault is intact, but an older copy.", "保险库完好，但为旧副本。"))
    case .damaged: self.init(Localized("The vault is DAMAGED.", "保险库已损坏。"))
    }
    addFacts([
      (Localized("Cards", "卡片"), "\(report.cards)"),
      (Localized("Attachments", "附件"), "\(report.attachments)"),
    ])
    addRows(report.findings.map { Row("-", $0.meaning.shown) })
    addRows(
      report.damaged.map { Row("-", "\($0)") }, under: Localized("Records that cannot be read:", "无法读取的记录："))
    guard report.integrity == .damaged else {
      addNext([Suggestion("qv backup", Localized("DIRECTORY", "目录"), Localized("make a backup", "备份保险库"))])
      return
    }
    add(Localized("If you have a good backup, keep it, and open it first.", "如有完好的备份，请妥善保留，并先打开备份。"))
    addNext([
      Suggestion(
        "qv repair", Localized("keep what can be read; saves the damaged file first", "先另存损坏的文件，再保留可读取的内容")),
      Suggestion(
        "qv list --vault", Localized("BACKUP", "备份文件"), Localized("look into a backup", "查看备份的内容")),
    ])
  }

  /// The cards that exist in two versions.
  init(_ conflicts: [ConflictingCards]) {
    let count = conflicts.count
    self.init(
      conflicts.isEmpty
        ? Localized("No card exists in two versions.", "没有两个版本并存的卡片。")
        : Localized(
          count == 1 ? "One card exists in two versions." : "\(count) cards exist in two versions.",
          "有 \(count) 张卡片存在两个版本。"))
    addRows(
      conflicts.map { Row($0.copy.shortID, $0.title + $0.copy.kind(Environment.language)) })
    guard !conflicts.isEmpty else {
      addNext([Suggestion("qv sync", Localized("how the vault is synchronised", "同步状态"))])
      return
    }
    addNext([
      Suggestion("qv conflicts", .card, Localized("show where the versions differ", "显示两个版本的不同之处")),
      .resolve(.card),
    ])
  }

  /// The report of `quickvault doctor --json`.
  ///
  /// - Returns: nil if it is of another version.
  init?(doctor report: JSON) {
    guard let ok = report["ok"], case .array(let findings)? = report["findings"] else {
      return nil
    }
    self.init(
      ok == true
        ? Localized("No problems found.", "没有发现问题。")
        : Localized("There are problems that you can fix.", "发现可以解决的问题。"))
    let marks = [
      "ok": Localized("ok", "正常"), "missing": Localized("note", "提示"), "failed": Localized("ERROR", "问题"),
    ]
    addRows(
      findings.flatMap { finding -> [Row] in
        let (subject, found) = (finding.text("subject"), finding.text("found"))
        let mark = finding["state"]?.string.flatMap { marks[$0]?.shown } ?? ""
        let row = Row(mark, Localized("\(subject): \(found)", "\(subject)：\(found)").shown)
        let advice = finding.text("advice")
        return advice.isEmpty ? [row] : [row, Row("", "→ " + advice)]
      })
    addNext([
      Suggestion("qv doctor --report", Localized("also the last errors, for a bug report", "附上最近的错误，用于报告问题"))
    ])
  }

  /// A text whose first line says what it is, and whose paragraphs are separated by empty lines. In a paragraph, a line that begins
  /// with two spaces has words in front, set off by more spaces, and goes on in lines that begin with more.
  init(text: String) {
    let paragraphs = text.trimmed.split(separator: "\n\n", omittingEmptySubsequences: true)
    self.init(Localized(verbatim: paragraphs.first.map(String.init) ?? ""))
    for paragraph in paragraphs.dropFirst() {
      var (words, rows) = ("", [Row]())
      for line in paragraph.split(separator: "\n") {
        if line.hasPrefix("   "), let last = rows.popLast() {
          rows.append(Row(last.lead, last.text.joined(to: String(line).trimmed)))
        } else if line.hasPrefix("  ") {
          let parts = String(line).trimmed.split(separator: "  ", maxSplits: 1)
          rows.append(Row(String(parts[0]), parts.dropFirst().first.map { String($0).trimmed } ?? ""))
        } else {
          words = words.joined(to: String(line))
        }
      }
      if !words.isEmpty { add(Localized(verbatim: words)) }
      addRows(rows)
    }
  }
}

extension TerminalPage.Suggestion {
  /// How to resolve a conflict.
  static func resolve(_ card: Localized) -> Self {
    Self(
      "qv conflicts", Localized("\(card.english) --keep card", "\(card.simplifiedChinese) --keep card"),
      Localized("keep the card; or its copy, or both", "保留卡片；或用 copy 保留副本，both 两者都保留"))
  }
}

extension Localized {
  fileprivate static let card = Localized("CARD", "卡片")
}

extension JSON {
  /// A text in both languages, in that of messages.
  fileprivate func text(_ member: String) -> String {
    self[member]?[Environment.language.rawValue]?.string ?? ""
  }
}

extension LogEntry {
  fileprivate var text: String {
    let way = means.flatMap { Localized.ways[$0] }
    let name = self.name
    let text = Localized(
      name.english + (way.map { " " + $0.english } ?? ""),
      name.simplifiedChinese + (way.map { "（\($0.simplifiedChinese)）" } ?? ""))
    let reason = shownReason.map { Localized(": \($0.english)", "：\($0.simplifiedChinese)") }
    return Localized(
      text.english + (reason?.english ?? ""), text.simplifiedChinese + (reason?.simplifiedChinese ?? "")
    ).shown
  }
}
