import Glibc
import VaultInterface

enum OpenCommand {
  static let command = Command(
    name: "open", summary: Localized("open an attachment", "打开附件"),
    help: Localized(
      """
      qv open CARD [ATTACHMENT] [--original] [--search]

      Opens an attachment with xdg-open, or with the program in QUICKVAULT_VIEWER. ATTACHMENT is a name, a
      number in the list or the beginning of an id; you can omit it if there is only one. --original opens it
      without its watermark and asks for a fingerprint or the password.

      The viewer gets a file in a private directory in XDG_RUNTIME_DIR, which is not on disk. It is removed
      when the viewer exits, when you press Enter if the viewer only passes the file on, and always when the
      vault locks or qv exits. Without a terminal, the viewer must run as long as it needs the file.
      """,
      """
      qv open 卡片 [附件] [--original] [--search]

      用 xdg-open 或 QUICKVAULT_VIEWER 指定的程序打开附件。附件用名称、列表中的序号或编号的开头指定；
      只有一个时可省略。--original 打开不带水印的原件，需要指纹或密码。

      查看程序使用的文件位于 XDG_RUNTIME_DIR 下的私有目录中，不在磁盘上。查看程序退出时删除该文件；
      若它只是转交文件，则在您按回车时删除；保险库锁定或 qv 退出时一定删除。
      没有终端时，查看程序在需要文件期间必须一直运行。
      """),
    options: [.original, .search] + Option.password, operands: [.titles, .attachments]
  ) { invocation throws(Failure) in
    let name = Environment.nonEmptyValue("QUICKVAULT_VIEWER") ?? "xdg-open"
    guard let viewer = SearchPath.find(name) else {
      throw .exit(
        .failure,
        Localized(
          "\(name) was not found; set QUICKVAULT_VIEWER to a program that opens files",
          "找不到 \(name)：请把 QUICKVAULT_VIEWER 设为能打开文件的程序"))
    }
    let item = try AttachmentReference.one(for: .reading, invocation)
    let directory = try PrivateDirectory(invocation)
    defer { directory.remove() }
    // A name that begins with a dash or a dot would be an option or a hidden file.
    let isPlain = item.name.first.map { $0 != "-" && $0 != "." } ?? false
    let path = "\(directory.path)/\(isPlain ? item.name : "_" + item.name)"
    _ = try AttachmentExporter.write(item, to: path, overwrites: false, invocation)
    try view(path, viewer, invocation)
  }

  /// How often the vault is asked whether it is locked, in milliseconds. It does not keep the vault unlocked.
  private static let interval: Int32 = 2_000
  /// A viewer that ends sooner has passed the file on to another program, in seconds.
  private static let passingTime = 3

  private static func view(_ path: String, _ viewer: String, _ invocation: Invocation) throws(Failure) {
    let begin = time(nil)
    guard let child = ChildProcess.start(viewer, [viewer, path], .init(output: 2)) else {
      throw .exit(.failure, Localized("\(viewer) cannot be started", "无法启动 \(viewer)"))
    }
    guard try isUnlocked(until: child.watch, invocation) else {
      kill(child.process, SIGTERM)
      return reportLock(invocation)
    }
    try child.wait()
    guard time(nil) - begin < passingTime, Terminal.isInteractive else { return }
    invocation.terminal.show(invocation.text("Press Enter to remove the opened file. ", "按回车删除已打开的文件。"))
    if try isUnlocked(until: 0, invocation) { _ = try Descriptor.readLine(0) } else { reportLock(invocation) }
  }

  /// Waits until a descriptor is readable, or the vault is locked.
  private static func isUnlocked(until descriptor: Int32, _ invocation: Invocation) throws(Failure) -> Bool {
    while try !Signals.wait(for: descriptor, timeout: interval) {
      if try invocation.vault.status().isLocked { return false }
    }
    return true
  }

  private static func reportLock(_ invocation: Invocation) {
    invocation.report("the vault was locked, and the opened file was removed", "保险库已锁定，已打开的文件已删除")
  }
}
