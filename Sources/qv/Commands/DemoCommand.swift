import Glibc
import VaultInterface
import Wire

enum DemoCommand {
  static let command = Command(
    name: "demo", summary: Localized("try QuickVault with sample cards", "用示例卡片试用随取"),
    help: Localized(
      """
      qv demo

      Starts a shell in which qv has a temporary vault with sample cards. Your own vault is not touched. Leave
      the shell to delete the sample cards. The demo password is "demo demo".
      """,
      """
      qv demo

      启动一个 shell，其中 qv 使用带示例卡片的临时保险库；您自己的保险库不受影响。退出该 shell 即删除示例卡片。
      演示的密码是“demo demo”。
      """)
  ) { invocation throws(Failure) in
    try invocation.arguments.allow(0)
    guard Terminal.isInteractive else {
      throw .usage(Localized("the demo needs a terminal", "演示需要在终端中使用"))
    }
    // The service of this path has a demo vault in place of the file, which is never made.
    let directory = try PrivateDirectory(
      in: Environment.nonEmptyValue("TMPDIR") ?? "/tmp", "quickvault-demo")
    defer { directory.remove() }
    unsafe setenv("QUICKVAULT_VAULT", "\(directory.path)/demo.quickvault", 1)
    if SearchPath.find("qv") == nil, let own = Executables.ownPath?.directoryName {
      unsafe setenv("PATH", "\(own):\(Environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin")", 1)
    }
    let vault = invocation.vault
    _ = try vault.send(VaultCreate(password: nil, keyDerivation: nil, isDemo: true)).getOrFail()
    var isDeleted = false
    defer { if !isDeleted { try? end(vault) } }
    try ListCommand.command.run(invocation)
    try invocation.output.flush()
    invocation.report(
      "these are sample cards; try qv show, qv copy or qv new, and leave with exit",
      "这些是示例卡片：可试用 qv show、qv copy、qv new，用 exit 退出")
    let shell = Environment.nonEmptyValue("SHELL").flatMap(SearchPath.find) ?? "/bin/sh"
    _ = try ChildProcess.start(shell, [shell])?.wait()
    try end(vault)
    isDeleted = true
    invocation.report("the sample cards were deleted", "示例卡片已删除")
  }

  private static func end(_ vault: Vault) throws(Failure) {
    let status = try vault.status()
    guard let password = status.demo?.password else { return }
    _ = try vault.send(VaultDelete(password: password, confirmation: status.path.fileName)).getOrFail()
  }
}
