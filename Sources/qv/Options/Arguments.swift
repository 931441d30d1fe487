import VaultInterface

/// A command line: its command, options and operands.
struct Arguments {
  let command: Command
  private var values: [String: [String]] = [:]
  private(set) var operands: [String] = []
  /// The number of operands before `--`; nil without it.
  private(set) var separator: Int?

  /// Reads the words after the name of the program. Without a command, it is `list`.
  init(_ words: [String]) throws(Failure) {
    var command: Command?
    var rest = words[...]
    var (endsOptions, wantsVersion) = (false, false)
    var given: [(option: Option, value: String)] = []
    while let word = rest.popFirst() {
      if endsOptions || !word.hasPrefix("-") || word == "-" {
        if command == nil {
          command = try Self.command(named: word)
        } else {
          operands.append(word)
        }
      } else if word == "--" {
        endsOptions = true
        separator = operands.count
      } else if word == "--version" || word == "-V" {
        wantsVersion = true
      } else {
        given.append(try Self.option(word, of: command, &rest))
      }
    }
    let isHelp = given.contains { $0.option.name == Option.help.name }
    if isHelp || wantsVersion {
      operands = isHelp ? [command?.name].compactMap(\.self) : []
      self.command = isHelp ? HelpCommand.command : VersionCommand.command
      return
    }
    self.command = command ?? ListCommand.command
    for (option, value) in given {
      guard self.command.allOptions.contains(where: { $0.name == option.name }) else {
        throw Self.usageError(Self.unknown("--\(option.name)"), self.command)
      }
      values[option.name, default: []].append(value)
    }
  }

  private static func command(named word: String) throws(Failure) -> Command {
    if let command = Command.named(word) { return command }
    throw usageError(Command.unknown(word), nil)
  }

  /// Reads an option, and its value from the same word or the next.
  private static func option(_ word: String, of command: Command?, _ rest: inout ArraySlice<String>)
    throws(Failure)
    -> (Option, String)
  {
    // Before the command is known, those of all commands are possible.
    let options = command?.allOptions ?? Command.all.flatMap(\.allOptions)
    let isLong = word.hasPrefix("--")
    let parts = word.drop { $0 == "-" }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = isLong ? String(parts[0]) : String(word.dropFirst().prefix(1))
    guard let option = options.first(where: { isLong ? $0.name == name : $0.short.map(String.init) == name })
    else {
      throw usageError(unknown(word), command)
    }
    var attached = isLong ? parts.dropFirst().first.map(String.init) : nil
    if !isLong, word.count > 2 {
      if option.value == nil {
        rest.insert("-" + word.dropFirst(2), at: rest.startIndex)
      } else {
        attached = String(word.dropFirst(2))
      }
    }
    guard option.value != nil else {
      guard attached == nil else { throw usageError(unknown(word), command) }
      return (option, "")
    }
    guard let value = attached ?? rest.popFirst() else {
      throw Failure.needsValue("--\(option.name)").addingHint(command)
    }
    if option.isNumber {
      let minimum = option.name.hasSuffix("fd") ? 0 : 1
      guard let number = Int(value), number >= minimum, number < 1_000_000_000 else {
        throw Failure.needsNumber(option.name, atLeast: minimum).addingHint(command)
      }
    }
    return (option, value)
  }

  private static func unknown(_ word: String) -> Localized {
    Localized("unknown option: \(word)", "未知选项：\(word)")
  }

  private static func usageError(_ message: Localized, _ command: Command?) -> Failure {
    Failure.usage(message).addingHint(command)
  }

  func has(_ option: Option) -> Bool { values[option.name] != nil }

  func has(_ name: String) -> Bool { values[name] != nil }

  /// The last value that was given.
  subscript(option: Option) -> String? { values[option.name]?.last }

  subscript(name: String) -> String? { values[name]?.last }

  /// All values that were given.
  func all(_ option: Option) -> [String] { values[option.name] ?? [] }

  /// The value of an option for a number.
  func number(_ option: Option) -> Int? { self[option].flatMap { Int($0) } }

  func number(_ name: String) -> Int? { self[name].flatMap { Int($0) } }

  /// The value of an option for one of several words.
  ///
  /// - Throws: ``ExitStatus/invalid`` for any other.
  func word<Word: CaseIterable & RawRepresentable<String>>(
    _ name: String, _ read: (String) -> Word? = { Word(rawValue: $0) }
  ) throws(Failure) -> Word? {
    guard let text = self[name] else { return nil }
    if let word = read(text) { return word }
    let words = Word.allCases.map(\.rawValue)
    throw .exit(
      .invalid,
      Localized(
        "--\(name) must be one of \(words.joined(separator: ", "))",
        "--\(name) 的值须为以下之一：\(words.joined(separator: "、"))"))
  }

  var group: CardGroup? { get throws(Failure) { try word("group", CardGroup.init(named:)) } }

  var type: CardType? { get throws(Failure) { try word("type", CardType.init(named:)) } }

  /// Fails if there are more operands than this.
  func allow(_ count: Int) throws(Failure) {
    if operands.count > count { throw .unexpectedArgument(operands[count]) }
  }
}

extension Failure {
  /// Adds a reference to the command's help to a usage error.
  func addingHint(_ command: Command?) -> Failure {
    guard case .exit(.usage, let lines) = self else { return self }
    let topic = command.map { " \($0.name)" } ?? ""
    return .exit(.usage, lines + [Localized("see qv help\(topic)", "请参见 qv help\(topic)")])
  }
}
