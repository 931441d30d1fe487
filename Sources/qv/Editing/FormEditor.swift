import Glibc
import VaultInterface

/// Has a card edited in the user's editor, on a private file in memory that is gone afterwards.
struct FormEditor {
  private let invocation: Invocation
  private let command: String

  /// - Returns: nil if the user has chosen no editor, or there is no terminal.
  init?(_ invocation: Invocation) {
    guard Terminal.isInteractive,
      let command = Environment.nonEmptyValue("VISUAL") ?? Environment.nonEmptyValue("EDITOR")
    else {
      return nil
    }
    (self.invocation, self.command) = (invocation, command)
  }

  /// Edits a form until it can be read.
  ///
  /// - Throws: ``Failure/declined`` if the text was left as it was or emptied.
  func edit(_ form: CardForm, issues: [String] = []) throws(Failure) -> CardForm {
    let format = FormText(invocation.language)
    let directory = try PrivateDirectory(invocation)
    defer { directory.remove() }
    var shown = format.write(form, issues: issues)
    try directory.write("card.txt", shown)
    while true {
      let status = try run(directory.path + "/card.txt")
      let bytes = try directory.read("card.txt")
      let content = String(decoding: bytes, as: UTF8.self)
      if status != 0 { try confirmUse(isChanged: content != shown, status) }
      if content == shown { throw .declined }
      guard Array(content.utf8) == bytes else {
        let remark = invocation.text(
          "# ! This was not UTF-8 text. What could not be read is replaced.", "# ! 这不是 UTF-8 文本，无法读取之处已被替换。")
        shown = try write(remark, above: content, in: directory)
        continue
      }
      let result: CardForm?
      do throws(FormText.LineError) {
        result = try format.read(content, into: form)
      } catch {
        let remark = invocation.text("# ! This line has no label: ", "# ! 此行没有名称：") + error.line.oneLine
        shown = try write(remark, above: content, in: directory)
        continue
      }
      guard let result else { throw .declined }
      return result
    }
  }

  /// Writes a text with a remark above it, and returns both.
  private func write(
    _ remark: String, above content: String, in directory: borrowing PrivateDirectory
  ) throws(Failure) -> String {
    let text = remark + "\n" + content
    try directory.write("card.txt", text)
    return text
  }

  private var program: Substring { command.prefix { $0 != " " } }

  /// Options that keep the editor from saving the text beside the file or elsewhere, where it would stay on disk.
  private var privateOptions: String {
    let name = String(program)
    // It may have another name, such as Debian's `editor` and `vim.basic`.
    let files = [name] + [SearchPath.find(name).flatMap(SearchPath.resolved)].compactMap(\.self)
    let names = files.map { String($0.fileName.prefix { $0 != "." }) }
    if names.contains(where: ["vi", "vim", "vimx", "nvim", "gvim", "view", "ex"].contains) {
      return " -n -i NONE -c 'set nobackup nowritebackup noundofile'"
    }
    if names.contains(where: { $0.hasPrefix("emacs") && !$0.hasPrefix("emacsclient") }) {
      return " --eval '(setq make-backup-files nil auto-save-default nil create-lockfiles nil)'"
    }
    return ""
  }

  /// - Returns: the exit status of the editor.
  private func run(_ path: String) throws(Failure) -> Int32 {
    // The shell would not wait for an editor that survives Ctrl-C, or Ctrl-C in a program of its own.
    // What follows an option of the user's such as --remote-wait is files.
    let words = "\(program)\(privateOptions)\(command.dropFirst(program.count))"
    let script = "trap : INT QUIT; \(words) \"$@\""
    return try ChildProcess.runInForeground("/bin/sh", ["sh", "-c", script, "sh", path]) ?? 127
  }

  /// Asks whether to use a text although the editor has failed. It can have crashed after the text was saved.
  private func confirmUse(isChanged: Bool, _ status: Int32) throws(Failure) {
    let message = Localized(
      "\(command) ended with status \(status); nothing was changed", "\(command) 以状态 \(status) 结束，未作任何更改")
    let question = invocation.text(
      "\(command) ended with status \(status). Save its text anyway? [y/N]",
      "\(command) 以状态 \(status) 结束。仍要保存其中的内容吗？[y/N]")
    guard isChanged, try invocation.terminal.confirm(question) else { throw .exit(.failure, message) }
  }
}
