import VaultInterface
import Wire

enum GenerateCommand {
  static let command = Command(
    name: "generate", aliases: ["gen"], summary: Localized("generate a password", "生成密码"),
    help: Localized(
      """
      qv generate [LENGTH] [--kinds KINDS] [--no-symbols] [--copy | --clipboard-command COMMAND] [--json]
      qv generate --words N [--copy | --clipboard-command COMMAND] [--json]

      Prints a random password: 20 characters of every kind, or as many as you say (8 to 128). KINDS are
      lowercase, uppercase, digits and symbols, with commas between; the password has at least one of each.
      --words makes a passphrase of 3 to 20 English words (EFF's list) instead.
      --copy copies the password and does not print it. On a terminal, says how hard it is to guess. Nothing is
      stored, and no vault is needed. In qv new and qv edit, type or paste what it prints.
      """,
      """
      qv generate [长度] [--kinds 种类] [--no-symbols] [--copy | --clipboard-command 命令] [--json]
      qv generate --words N [--copy | --clipboard-command 命令] [--json]

      输出随机密码：默认 20 个字符，包含所有种类；也可指定长度（8 到 128）。种类有 lowercase 小写字母、
      uppercase 大写字母、digits 数字、symbols 符号，用逗号分隔；每种至少出现一次。
      --words 则用 3 到 20 个英文单词（EFF 词表）组成密码短语。
      --copy 复制密码而不输出。在终端上会说明其强度。不保存任何内容，也不需要保险库。
      """),
    options: [
      .json, Option(name: "words", short: "w", value: .nothing, isNumber: true),
      Option(name: "kinds", value: .words(CharacterKind.allCases.map(\.rawValue))),
      Option(name: "no-symbols"),
      Option(name: "copy", short: "c"), .clipboardCommand,
    ], operands: [.nothing]
  ) { invocation throws(Failure) in
    let answer = try invocation.vault.ask(PasswordGenerate(recipe: try recipe(invocation)))
    if invocation.arguments.has("copy") || invocation.arguments.has(.clipboardCommand) {
      let name = Localized("the password", "密码")[invocation.language]
      try Clipboard.copy(CopiedText(answer.password, name: name, clearAfterSeconds: 30), invocation)
    } else if invocation.arguments.has(.json) {
      return try invocation.output.json(answer.json)
    } else {
      try invocation.output.line(answer.password)
    }
    guard invocation.output.isTerminal else { return }
    try invocation.output.flush()
    invocation.mention("strength: \(answer.bits) bits", "强度：\(answer.bits) 位")
  }

  private static func recipe(_ invocation: Invocation) throws(Failure) -> PasswordRecipe {
    let arguments = invocation.arguments
    try arguments.allow(1)
    var length: Int?
    if let word = invocation.operands.first { length = try number(word) }
    if let words = arguments.number("words") {
      guard length == nil, arguments["kinds"] == nil, !arguments.has("no-symbols") else {
        throw .usage(Localized("--words takes no length and no kinds", "--words 不能与长度或种类同时使用"))
      }
      return .words(try checked(words, PasswordRecipe.wordCounts, Localized("--words", "--words")))
    }
    var kinds = CharacterKind.allCases
    if let text = arguments["kinds"] {
      kinds = []
      for word in text.split(separator: ",") { kinds.append(try kind(String(word).trimmed)) }
    }
    if arguments.has("no-symbols") { kinds.removeAll { $0 == .symbols } }
    guard !kinds.isEmpty else {
      throw .exit(.invalid, Localized("no kind of characters is left", "没有可用的字符种类"))
    }
    let count = try checked(length ?? 20, PasswordRecipe.lengths, Localized("the length", "长度"))
    return .characters(count, kinds)
  }

  private static func number(_ word: String) throws(Failure) -> Int {
    guard let number = Int(word) else { throw .unexpectedArgument(word) }
    return number
  }

  private static func kind(_ word: String) throws(Failure) -> CharacterKind {
    if let kind = CharacterKind(rawValue: word.lowercased()) { return kind }
    let words = CharacterKind.allCases.map(\.rawValue)
    throw .exit(
      .invalid,
      Localized(
        "--kinds must be of \(words.joined(separator: ", "))", "--kinds 的值须取自：\(words.joined(separator: "、"))"
      ))
  }

  private static func checked(_ number: Int, _ range: ClosedRange<Int>, _ name: Localized) throws(Failure)
    -> Int
  {
    guard !range.contains(number) else { return number }
    throw .exit(
      .invalid,
      Localized(
        "\(name.english) must be \(range.lowerBound) to \(range.upperBound)",
        "\(name.simplifiedChinese)须为 \(range.lowerBound) 到 \(range.upperBound)"))
  }
}
