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
