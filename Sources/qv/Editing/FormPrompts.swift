import Glibc
import VaultInterface

/// Asks for the parts of a card, one after the other.
struct FormPrompts {
  private let invocation: Invocation

  init(_ invocation: Invocation) { self.invocation = invocation }

  private var colon: String { invocation.text(": ", "：") }

  /// Asks for a new card: for everything, or only for required parts that are missing if some were given.
  func askNew(_ form: inout CardForm, given: Assignments) throws(Failure) {
    let asksAll = !given.hasFields
    if form.title.isEmpty { try askTitle(&form) }
    if asksAll, form.group.isEmpty { try askGroup(&form, CardGroup.personal.rawValue) }
    for index in form.fields.indices where !given.names(form.fields[index].key) {
      if asksAll || form.fields[index].template.required && form.fields[index].value.isEmpty {
        try askField(&form, index)
      }
    }
    guard asksAll else { return }
    if form.tags.isEmpty { try askTags(&form) }
    try askExtras(&form)
  }

  /// Asks for every field, with the current value to edit.
  func askAll(_ form: inout CardForm) throws(Failure) {
    try askTitle(&form)
    try askGroup(&form, form.group)
    for index in form.fields.indices { try askField(&form, index) }
    try askTags(&form)
    try askExtras(&form)
  }

  /// Shows issues, and asks again for the parts that they name.
  ///
  /// - Returns: false if none is known.
  func ask(again issues: [IssueJSON], _ form: inout CardForm) throws(Failure) -> Bool {
    for issue in issues { invocation.terminal.show("! \(issue.message.text.oneLine)\n") }
    // An extra field has two parts, which are asked for together.
    var places: [String] = []
    for issue in issues {
      let place = String(issue.field.prefix { $0 != "." })
      if !places.contains(place) { places.append(place) }
    }
    // From the last, since an extra field without a value goes, and the others move.
    var isAsked = false
    for place in places.filter({ !$0.hasPrefix("extraFields") })
      + places.filter({ $0.hasPrefix("extraFields") }).reversed()
    {
      if try ask(again: place, &form) { isAsked = true }
    }
    return isAsked
  }

  /// Asks again for a part that an issue names.
  ///
  /// - Returns: false if it is unknown.
  private func ask(again part: String, _ form: inout CardForm) throws(Failure) -> Bool {
    if part == "title" {
      try askTitle(&form)
    } else if part == "group" {
      try askGroup(&form, form.group.isEmpty ? CardGroup.personal.rawValue : form.group)
    } else if part.hasPrefix("tags") {
      try askTags(&form)
    } else if part.hasPrefix("extraFields["), let index = Int(part.dropFirst(12).prefix { $0 != "]" }),
      form.extraFields.indices.contains(index)
    {
      form.extraFields[index].label = try invocation.readLine(
        invocation.text("Label: ", "名称："), current: form.extraFields[index].label)
      try askExtra(&form, index)
      form.extraFields.removeAll { $0.value.isEmpty }
    } else if let index = form.fields.firstIndex(where: { $0.key == part }) {
      try askField(&form, index)
    } else {
      return false
    }
    return true
  }

  private func askTitle(_ form: inout CardForm) throws(Failure) {
    form.title = try invocation.readLine(invocation.text("Title: ", "标题："), current: form.title)
  }

  private func askGroup(_ form: inout CardForm, _ current: String) throws(Failure) {
    form.group = try askChoice(Localized("Group", "分组"), CardGroup.self, usual: current)
  }

  /// Asks for one of several words until the answer is one of them or begins only one. Enter takes the usual one.
  func askChoice<Kind: NamedKind>(_ name: Localized, _: Kind.Type, usual: String) throws(Failure) -> String {
    let names = Kind.allCases.map { (word: $0.rawValue, text: $0.name) }
    let known = names.map(\.text.english).joined(separator: ", ")
    let chinese = names.map { "\($0.word) \($0.text.simplifiedChinese)" }.joined(separator: "、")
    let prompt = invocation.text(
      "\(name.english) [\(usual)] (\(known)): ", "\(name.simplifiedChinese) [\(usual)]（\(chinese)）：")
    while true {
      let answer = try invocation.readLine(prompt).trimmed.foldedName
      if answer.isEmpty { return usual }
      let matching = names.filter { name in
        [name.word, name.text.english, name.text.simplifiedChinese].contains {
          $0.foldedName.hasPrefix(answer)
        }
      }
      if matching.count == 1 { return matching[0].word }
      invocation.report(
        "\(name.english) must be one of: \(known)", "\(name.simplifiedChinese)须为以下之一：\(chinese)")
    }
  }

  private func askTags(_ form: inout CardForm) throws(Failure) {
    form.tags = FormText.tags(
      in: try invocation.readLine(
        invocation.text("Tags (separated by commas): ", "标签（用逗号分隔）："), current: FormText.line(of: form.tags)))
  }

  private func askField(_ form: inout CardForm, _ index: Int) throws(Failure) {
    let field = form.fields[index]
    let template = field.template
    let prompt =
      template.label[invocation.language] + (template.required ? "" : invocation.text(" (optional)", "（选填）"))
    form.fields[index].value =
      if field.key == "text" || field.value.contains("\n") {
        try readLines(prompt, current: field.value)
      } else if template.multiline {
        try readContinued(prompt + colon, current: field.value)
      } else {
        try invocation.readLine(prompt + colon, current: field.value)
      }
  }

  /// Reads lines until the end of input. None keep the current value, a single - removes it.
  private func readLines(_ prompt: String, current: String) throws(Failure) -> String {
    let question: String
    if current.isEmpty {
      question =
        prompt
        + invocation.text(
          " (several lines; end with Ctrl-D on a new line):\n", "（可输入多行；在新的一行按 Ctrl-D 结束）：\n")
    } else {
      let shown = current.lines.map(\.printable).joined(separator: "\n")
      question =
        "\(prompt)\(colon)\n\(shown)\n"
        + invocation.text(
          "Press Ctrl-D to keep it, enter new lines and Ctrl-D to replace it, or - and Ctrl-D to remove it:\n",
          "按 Ctrl-D 保留；输入新内容再按 Ctrl-D 替换；输入 - 再按 Ctrl-D 删除：\n")
    }
    let lines = try LinePrompt.lines(question, on: invocation.terminal)
    if lines.isEmpty { return current }
    return lines == ["-"] ? "" : lines.joined(separator: "\n")
  }

  /// Reads a value that a backslash at the end of a line continues on the next.
  private func readContinued(_ prompt: String, current: String) throws(Failure) -> String {
    var (whole, prompt, current) = ("", prompt, current.hasSuffix("\\") ? current + "\\" : current)
    while true {
      let line = try invocation.readLine(prompt, current: current, keepsLines: true)
      if line.hasSuffix("\\\\") || !line.hasSuffix("\\") {
        return whole + (line.hasSuffix("\\") ? String(line.dropLast()) : line)
      }
      whole += line.dropLast() + "\n"
      (prompt, current) = ("> ", "")
    }
  }

  private func askExtras(_ form: inout CardForm) throws(Failure) {
    for index in form.extraFields.indices { try askExtra(&form, index) }
    form.extraFields.removeAll { $0.value.isEmpty }
    while true {
      let answer = try invocation.readLine(
        invocation.text(
          "Label of another field (*Label conceals its value, Enter for none): ",
          "自定义字段的名称（以 * 开头则内容保密，没有则直接按回车）：")
      ).trimmed
      if answer.isEmpty { return }
      let isConcealed = answer.foldedName.hasPrefix("*")
      let label = isConcealed ? String(answer.dropFirst()).trimmed : answer
      form.extraFields.append(.init(label: label, value: "", concealed: isConcealed))
      try askExtra(&form, form.extraFields.count - 1)
      form.extraFields.removeAll { $0.value.isEmpty }
    }
  }

  /// Asks for the value of an extra field. A concealed one is not shown, and an empty line keeps it; a single - removes the field.
  private func askExtra(_ form: inout CardForm, _ index: Int) throws(Failure) {
    let field = form.extraFields[index]
    var value: String
    if field.concealed {
      let hint =
        field.value.isEmpty
        ? invocation.text(" (hidden): ", "（不显示）：")
        : invocation.text(" (hidden; Enter keeps the value, - removes it): ", "（不显示；按回车保留原内容，输入 - 删除）：")
      guard let secret = try LinePrompt.secret(field.label + hint, keepsLines: true, on: invocation.terminal)
      else { throw .declined }
      value = secret.isEmpty ? field.value : secret
    } else {
      value = try invocation.readLine(field.label + colon, current: field.value, keepsLines: true)
    }
    form.extraFields[index].value = value == "-" ? "" : value
  }
}
