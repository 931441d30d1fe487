import VaultInterface
import Wire

enum PasswordCommand {
  static let command = Command(
    name: "password", aliases: ["passwd"], summary: Localized("change the master password", "更改主密码"),
    help: Localized(
      """
      qv password [--password-fd N] [--new-password-fd N] [--kdf …] [--iterations N] [--memory KIB]

      Changes the master password. With --password-fd alone, the new password is the line after the old one.
      """,
      """
      qv password [--password-fd N] [--new-password-fd N] [--kdf …] [--iterations N] [--memory KIB]

      更改主密码。只使用 --password-fd 时，旧密码的下一行为新密码。
      """),
    options: Option.password + [.newPasswordDescriptor] + Option.keyDerivation
  ) { invocation throws(Failure) in
    let vault = invocation.vault
    try invocation.arguments.allow(0)
    let derivation = try KeyDerivationRequest.chosen(invocation.arguments)
    try vault.replacePassword {
      VaultChangePassword(oldPassword: $0, newPassword: $1, keyDerivation: derivation)
    }
    invocation.mention("the master password was changed", "主密码已更改")
  }
}

/// `qv rekey`: a new key after a machine was lost (S).
enum RekeyCommand {
  static let command = Command(
    name: "rekey", summary: Localized("change the key, after a machine was lost", "更换密钥（电脑丢失后）"),
    help: Localized(
      """
      qv rekey [--yes] [--password-fd N] [--new-password-fd N]

      Reencrypts the vault with a new key and a new password. A lost or stolen machine keeps what it has, but
      cannot read anything that you write from then on. On your other machines, use qv sync rejoin with the
      new password. With --password-fd alone, the new password is the line after the old one.
      """,
      """
      qv rekey [--yes] [--password-fd N] [--new-password-fd N]

      用新密钥和新密码重新加密保险库。丢失或被盗的电脑保留已有内容，但读不到您此后写入的内容。
      其他电脑用 qv sync rejoin 和新密码继续同步。只使用 --password-fd 时，旧密码的下一行为新密码。
      """),
    options: [.yes] + Option.password + [.newPasswordDescriptor]
  ) { invocation throws(Failure) in
    try invocation.arguments.allow(0)
    let vault = invocation.vault
    try invocation.confirmAtTerminal(
      Localized(
        "Give the vault a new key? Every other machine has to give the new password once. [y/N]",
        "要更换密钥吗？此后其他每台电脑都要输入一次新密码。[y/N]"))
    if vault.passwords.usesPinentry { try vault.ensureOpen() }
    try vault.replacePassword(progress: Localized("Reencrypting...", "正在重新加密…")) {
      VaultRekey(oldPassword: $0, newPassword: $1, progressToken: .qv)
    }
    invocation.mention("the vault has a new key and password", "保险库已更换密钥和密码")
  }
}

extension Vault {
  /// Sends a request with the password and a new one. A pinentry asks for both.
  ///
  /// - Parameter text: what the progress of the request is shown with, if it tells any.
  fileprivate func replacePassword<Request: VaultRequest>(
    progress text: Localized = Localized("", ""), _ request: (_ old: String, _ new: String) -> Request
  ) throws(Failure) {
    let status = try status()
    guard status.exists else { throw .noVault(status.path) }
    if passwords.usesPinentry {
      _ = try withPassword(Prompt.current) { password throws(Failure) in
        try withProgress(text) { () throws(Failure) in try send(password) { request($0, $0) } }
      }
      return
    }
    let arguments = invocation.arguments
    // It is known to be right before the new one is asked for.
    let old = try withPassword(Prompt.current) { password throws(Failure) in
      try send(password, SessionUnlock.byPassword)
    }.password
    let hasOwn = arguments.has(.newPasswordDescriptor) || !arguments.has(.passwordDescriptor)
    let new = try passwords.readNew(hasOwn ? .newPasswordDescriptor : .passwordDescriptor, self)
    _ = try withProgress(text) { () throws(Failure) in try send(old) { request($0, new) } }.getOrFail()
  }
}

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
