import VaultInterface
import Wire

enum PasswordCommand {
  static let command = Command(
    name: "password", aliases: ["passwd"], summary: Localized("change the master password", "更改主密码"),
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
    let count = length ?? PasswordRecipe.defaultLength
    return .characters(try checked(count, PasswordRecipe.lengths, Localized("the length", "长度")), kinds)
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
