import Glibc
import Vault
import VaultInterface

extension Doctor {
  /// The vault's file and its directory.
  var vaultFindings: [Finding] {
    var status = stat()
    guard unsafe stat(vault, &status) == 0 else {
      let isMissing = errno == ENOENT
      return [
        Finding(
          "vault.file", Self.file, isMissing ? .missing : .failed,
          isMissing
            ? Localized("\(vault): does not exist yet", "\(vault)：尚未创建")
            : Localized("\(vault): cannot be accessed", "\(vault)：无法访问"),
          advice: isMissing
            ? Localized("create it with a client", "请用客户端创建")
            : Localized("check the permissions of its parent directories", "请检查其上级目录的权限"))
      ] + conflictFindings
    }
    return [content, permissions(of: status), directory] + conflictFindings
  }

  /// Other states of the vault beside it, and how to merge them; nothing if there are none.
  private var conflictFindings: [Finding] {
    let files = ConflictFile.all(beside: vault)
    func finding(_ key: String, _ subject: Localized, _ kind: ConflictFile.Kind, _ advice: Localized)
      -> [Finding]
    {
      let paths = files.filter { $0.kind == kind }.map(\.path)
      guard !paths.isEmpty else { return [] }
      return [
        Finding(key, subject, .failed, Localized(verbatim: paths.joined(separator: ", ")), advice: advice)
      ]
    }
    return finding(
      "vault.copies", Localized("Other copies of the vault", "保险库的其他副本"), .copy,
      Localized(
        "merge each with 'qv merge FILE', then delete it", "请用“qv merge 文件”逐个合并，然后删除该文件"))
      + finding(
        "vault.logs", Localized("Logs whose vault is missing", "找不到所属保险库的日志"), .log,
        Localized(
          "each may hold changes that are nowhere else: see 'A log without its vault' in BACKUP-AND-MERGE.md; delete it then",
          "其中可能有别处没有的更改：请先按 BACKUP-AND-MERGE.md 的“A log without its vault”一节处理，再删除"))
  }

  private static var file: Localized { Localized("Vault", "保险库") }

  private var content: Finding {
    do {
      try VaultSession.checkFormat(at: vault)
      return Finding("vault.file", Self.file, .ok, Localized(verbatim: vault))
    } catch {
      let message = ErrorDescriptor(error).message
      let isNewer = VaultError(error) == .newerVersion
      return Finding(
        "vault.file", Self.file, .failed,
        Localized("\(vault): \(message.english)", "\(vault)：\(message.simplifiedChinese)"),
        advice: isNewer
          ? Localized("install the newer version", "请安装较新的版本")
          : Localized(
            "name another file with --vault; if this is a vault that was damaged, restore a backup, or run 'qv repair'",
            "请用 --vault 指定其他文件；如果这是已损坏的保险库，请恢复备份，或运行 qv repair"))
    }
  }

  private func permissions(of status: stat) -> Finding {
    let subject = Localized("Vault's permissions", "保险库权限")
    guard status.st_uid == geteuid() else {
      return Finding(
        "vault.permissions", subject, .failed, Localized("the file belongs to another user", "文件属于其他用户"),
        advice: Localized("sudo chown $USER '\(vault)'", "请运行 sudo chown $USER '\(vault)'"))
    }
    guard status.st_mode & 0o077 != 0 else {
      return Finding("vault.permissions", subject, .ok, Localized(verbatim: Self.octal(status.st_mode)))
    }
    return Finding(
      "vault.permissions", subject, .failed,
      Localized(
        "\(Self.octal(status.st_mode)): other users can access the file",
        "\(Self.octal(status.st_mode))：其他用户可以访问该文件"),
      advice: Localized("chmod 600 '\(vault)'", "请运行 chmod 600 '\(vault)'"))
  }

  private var directory: Finding {
    let subject = Localized("Vault's directory", "保险库目录")
    let path = vault.lastIndex(of: "/").map { $0 == vault.startIndex ? "/" : String(vault[..<$0]) } ?? "."
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      return Finding(
        "vault.directory", subject, .failed, Localized("\(path): cannot be accessed", "\(path)：无法访问"))
    }
    let isOpen = status.st_mode & 0o022 != 0 && status.st_mode & 0o1000 == 0
    guard isOpen else {
      return Finding(
        "vault.directory", subject, .ok, Localized(verbatim: "\(path), \(Self.octal(status.st_mode))"))
    }
    return Finding(
      "vault.directory", subject, .failed,
      Localized(
        "\(path), \(Self.octal(status.st_mode)): other users can remove or replace the vault",
        "\(path)，\(Self.octal(status.st_mode))：其他用户可以删除或替换保险库"),
      advice: Localized("chmod 700 '\(path)'", "请运行 chmod 700 '\(path)'"))
  }

  private static func octal(_ mode: mode_t) -> String {
    let digits = String(mode & 0o7777, radix: 8)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
