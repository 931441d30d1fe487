import Glibc
import VaultInterface

/// The assignments to parts of a card on a command line.
struct Assignments {
  /// Words such as `taxId=9144…`.
  private let words: [(name: String, value: String)]
  private let invocation: Invocation

  /// - Parameter operands: words of the form `NAME=VALUE`.
  init(_ operands: [String], _ invocation: Invocation) throws(Failure) {
    self.invocation = invocation
    words = try operands.map { word throws(Failure) in
      guard let pair = Self.split(word) else { throw .unexpectedArgument(word) }
      return pair
    }
  }

  /// The name and value of a word; nil for a word without an equals sign after its first character.
  static func split(_ word: String) -> (name: String, value: String)? {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    return parts.count == 2 && !parts[0].isEmpty ? (parts[0], parts[1]) : nil
  }

  private var arguments: Arguments { invocation.arguments }

  var isEmpty: Bool {
    words.isEmpty && ![.title, .group, .tag, .extra, .conceal].contains { arguments.has($0) }
  }

  /// Whether fields were given, so that only what is missing is asked for.
  var hasFields: Bool { !words.isEmpty || arguments.has(.extra) || arguments.has(.conceal) }

  func names(_ key: String) -> Bool { words.contains { $0.name.foldedName == key.foldedName } }

  /// Writes them into a form.
  func apply(to form: inout CardForm) throws(Failure) {
    try refuseRepetition(form)
    for (name, value) in words {
      let text = value == "-" ? try readValue(name) : value
      // The server knows best what is wrong with a name of no field.
      if !form.set(name, text) {
        throw .exit(.invalid, Localized("there is no field \(name)", "没有字段“\(name)”"))
      }
    }
    if let title = arguments[.title] { form.title = title }
    if let group = arguments[.group] { form.setGroup(group) }
    try form.requireGroup()
    if arguments.has(.tag) { form.tags = arguments.all(.tag).flatMap { FormText.tags(in: $0) } }
    for word in arguments.all(.extra) {
      guard let (label, value) = Self.split(word) else { throw .needsValue("--extra") }
      form.setExtra(label, value)
    }
    for label in arguments.all(.conceal) { form.setExtra(label, try readConcealed(label), isConcealed: true) }
  }

  /// Refuses a part that is given twice, of which one value would be lost.
  private func refuseRepetition(_ form: CardForm) throws(Failure) {
    var seen: Set<String> = []
    let extras = arguments.all(.extra).compactMap { Self.split($0)?.name } + arguments.all(.conceal)
    let options = [Option.title, .group].flatMap { option in arguments.all(option).map { _ in option.name } }
    let parts =
      words.map { form.part(named: $0.name) } + options + extras.map { "extra \($0.foldedName)" }
      + (arguments.has(.tag) ? ["tags"] : [])
    let names = words.map(\.name) + options + extras + ["tags"]
    for (part, name) in zip(parts, names) where !seen.insert(part).inserted {
      throw .usage(Localized("\(name) is given twice", "“\(name)”给出了两次"))
    }
  }

  /// Reads a value from standard input.
  private func readValue(_ name: String) throws(Failure) -> String {
    try Descriptor.text(
      invocation.readInput(
        Localized("type \(name) and end it with Ctrl-D", "请输入“\(name)”，以 Ctrl-D 结束")))
  }

  /// Reads a concealed value from the terminal without echo, else a line of standard input.
  private func readConcealed(_ label: String) throws(Failure) -> String {
    if isatty(0) == 1 {
      guard
        let value = try LinePrompt.secret(
          label + invocation.text(": ", "："), keepsLines: true, on: invocation.terminal)
      else {
        throw .declined
      }
      return value
    }
    guard let line = try Descriptor.readLine(0) else {
      throw .usage(Localized("standard input has no value for \(label)", "标准输入中没有 \(label) 的内容"))
    }
    return line
  }
}
