import VaultInterface

/// A card as text for an editor. A part is a line `Label: value`, or a label with indented lines below; lines that begin with #
/// are remarks.
struct FormText {
  private let language: Language

  init(_ language: Language) { self.language = language }

  private func text(_ english: String, _ chinese: String) -> String { Localized(english, chinese)[language] }

  private var title: String { text("Title", "标题") }
  private var group: String { text("Group", "分组") }
  private var tags: String { text("Tags", "标签") }
  private var mark: String { text(" (concealed)", "（保密）") }

  /// - Parameter issues: what is wrong, to be shown first.
  func write(_ form: CardForm, issues: [String]) -> String {
    var lines = issues.map { "# ! \($0.oneLine)" }
    lines += [
      text(
        "# Save and leave the editor to store the card. Empty the file to change nothing.",
        "# 保存并退出编辑器即存储卡片；清空文件则不作更改。"),
      text(
        "# A value of several lines stands below its label, indented by two spaces. Add fields of your own as",
        "# 多行内容写在名称下方，缩进两个空格。可按“名称: 内容”添加自定义字段；"),
      text(
        "# Label: value, or as Label (concealed): value. A colon in a label is written as \\:.",
        "# 写作“名称（保密）: 内容”则为保密字段。名称中的冒号写作 \\:。"),
      "", "\(title): \(form.title)", "\(group): \(form.chosenGroup?.name[language] ?? form.group.oneLine)",
      "\(tags): \(form.tagText)", "",
    ]
    for field in form.fields { lines += part(field.template.label[language], field.value) }
    lines.append("")
    for field in form.extraFields {
      lines += part(escaped(field.label) + (field.concealed ? mark : ""), field.value)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func part(_ label: String, _ value: String) -> [String] {
    let lines = Self.lines(value)
    if lines.count == 1, value == value.trimmed { return ["\(label): \(value)".trimmedEnd] }
    return ["\(label):"] + lines.map { "  \($0)" }
  }

  /// The lines of a text, which ends them as Unix or as Windows does.
  private static func lines(_ text: String) -> [String] {
    text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.map(String.init)
  }

  /// Returns the value of an edited part: the former one, if it differs in the ends of its lines alone.
  private static func value(_ edited: String, of former: String?) -> String {
    guard let former, lines(former).joined(separator: "\n") == edited else { return edited }
    return former
  }

  /// Reads an edited text.
  ///
  /// - Returns: nil if it is empty.
  /// - Throws: ``LineError`` at a line that is no part of the form.
  func read(_ content: String, into form: CardForm) throws(LineError) -> CardForm? {
    let parts = try parts(content)
    guard !parts.isEmpty else { return nil }
    var result = form
    (result.title, result.tags, result.extraFields) = ("", [], [])
    for index in result.fields.indices { result.fields[index].value = "" }
    var seen: Set<String> = []
    for (label, value) in parts {
      let isFirst = seen.insert(label).inserted
      if isFirst, label == title {
        result.title = value
      } else if isFirst, label == group {
        result.setGroup(value)
      } else if isFirst, label == tags {
        result.tags = value == form.tagText ? form.tags : CardForm.tags(value)
      } else if isFirst, let index = result.fields.firstIndex(where: { $0.template.label[language] == label })
      {
        result.fields[index].value = Self.value(value, of: form.fields[index].value)
      } else if !value.isEmpty {
        let isConcealed = label.hasSuffix(mark)
        let name = Self.unescaped(isConcealed ? String(label.dropLast(mark.count)) : label)
        let former = form.extraFields.first { $0.label == name }
        result.extraFields.append(
          .init(label: name, value: Self.value(value, of: former?.value), concealed: isConcealed))
      }
    }
    return result
  }

  /// A line without a label.
  struct LineError: Error {
    let line: String
  }

  private func parts(_ content: String) throws(LineError) -> [(label: String, value: String)] {
    var parts: [(label: String, lines: [String], isBlock: Bool)] = []
    var blank = 0
    for line in Self.lines(content) {
      if line.hasPrefix("#") { continue }
      if line.hasPrefix("  "), let last = parts.indices.last, parts[last].isBlock {
        parts[last].lines += Array(repeating: "", count: blank) + [String(line.dropFirst(2))]
        blank = 0
        continue
      }
      if line.trimmed.isEmpty {
        blank += 1
        continue
      }
      blank = 0
      guard let colon = Self.colon(in: line) else { throw LineError(line: line) }
      let value = String(line[line.index(after: colon)...]).trimmed
      parts.append((String(line[..<colon]).trimmed, value.isEmpty ? [] : [value], value.isEmpty))
    }
    return parts.map { ($0.label, $0.lines.joined(separator: "\n")) }
  }

  // MARK: Labels

  /// The characters before which a backslash is needed in some labels, and dropped again in all.
  private static let special: Set<Character> = ["\\", ":", "：", "#", "(", "（"]

  /// A label that begins no remark, does not end early, and is not taken for that of a concealed field.
  private func escaped(_ label: String) -> String {
    let looksConcealed = label.hasSuffix(mark)
    var result = ""
    for character in label {
      let isPlain =
        switch character {
        case "#": !result.isEmpty
        case "(", "（": !looksConcealed
        default: !Self.special.contains(character)
        }
      if !isPlain { result.append("\\") }
      result.append(character)
    }
    return result
  }

  private static func unescaped(_ label: String) -> String {
    var (result, rest) = ("", label[...])
    while let character = rest.popFirst() {
      if character == "\\", let next = rest.first, special.contains(next) {
        result.append(next)
        rest.removeFirst()
      } else {
        result.append(character)
      }
    }
    return result
  }

  /// The end of a line's label.
  private static func colon(in line: String) -> String.Index? {
    var isEscaped = false
    return line.firstIndex { character in
      if !isEscaped, character == ":" || character == "：" { return true }
      isEscaped = character == "\\" && !isEscaped
      return false
    }
  }
}
