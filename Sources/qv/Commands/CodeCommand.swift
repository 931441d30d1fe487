import VaultInterface

enum CodeCommand {
  static let command = Command(
    name: "code", aliases: ["otp", "totp"], summary: Localized("show a one-time code", "显示一次性密码"),
    help: Localized(
      """
      qv code CARD [--field FIELD] [--search] [--json]

      Prints the one-time code of this moment. A card has codes if a concealed field has their key: an
      otpauth:// URI, or base32 under a name such as “totp” or “One-time password”. --field names one of
      several keys. On a terminal, says for how long the code is valid. The code of a counter is stored as taken.
      qv copy -f totp CARD copies the code.
      """,
      """
      qv code 卡片 [--field 字段] [--search] [--json]

      输出此刻的一次性密码。卡片须有保存其密钥的保密字段：otpauth:// 链接，或名为“totp”“一次性密码”等、
      内容为 base32 的字段。有多个密钥时用 --field 指定。在终端上还会显示剩余的有效时间。
      按计数生成的密码会记录为已使用。
      用 qv copy -f totp 卡片 复制该密码。
      """),
    options: [.json, .field, .search] + Option.password, operands: [.titles]
  ) { invocation throws(Failure) in
    let id = try CardReference.resolve(invocation.words, for: .reading, invocation).id
    let answer = try invocation.vault.ask(FieldCode(id: id, field: invocation.arguments[.field]))
    if invocation.arguments.has(.json) { return try invocation.output.json(answer.json) }
    try invocation.output.line(answer.code)
    guard invocation.output.isTerminal, let seconds = answer.secondsLeft else { return }
    try invocation.output.flush()
    invocation.mention("valid for \(seconds) s", "\(seconds) 秒内有效")
  }
}
