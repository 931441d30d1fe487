import Glibc
import VaultInterface
import Wire

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

  /// Has a card's form edited and stored. What is wrong is shown in the text, and corrected there.
  ///
  /// - Parameters:
  ///   - unchanged: the text without what was typed.
  ///   - onConflict: as for ``CardSubmission/store(_:onConflict:_:)``.
  ///   - isFilledIn: whether the text may be stored as it is, which is asked.
  ///   - save: makes the request for a text.
  /// - Returns: the stored card, which is printed.
  @discardableResult func store(
    _ text: String, unless unchanged: String, _ drafts: FormDrafts,
    isFilledIn: Bool = false, onConflict: ((CardJSON?) throws(Failure) -> Void)? = nil,
    _ save: (String) -> FormSave
  ) throws(Failure) -> CardJSON {
    let submission = CardSubmission<String>(invocation, wasTyped: true) { text, issues throws(Failure) in
      text = try edit(text, issues: issues)
      return true
    }
    var text = text
    return try drafts.keeping(&text, unless: unchanged) { text throws(Failure) in
      text = try edit(text, isFilledIn: isFilledIn)
      return try submission.store(&text, onConflict: onConflict) { text throws(Failure) in
        try invocation.vault.attempt(save(text), announces: true)
      }
    }
  }

  /// Has a text edited, with remarks that are removed again.
  ///
  /// - Throws: ``Failure/declined`` if the text was left as it was or emptied.
  private func edit(
    _ text: String, issues: [IssueJSON] = [], isFilledIn: Bool = false
  ) throws(Failure) -> String {
    let directory = try PrivateDirectory(invocation)
    defer { directory.remove() }
    var remarks = FormRemarks(invocation.language)
    var shown = remarks.added(to: text, issues)
    try directory.write("card.txt", shown)
    while true {
      let status = try run(directory.path + "/card.txt")
      let bytes = try directory.read("card.txt")
      let content = String(decoding: bytes, as: UTF8.self)
      if status != 0 { try confirmUse(isChanged: content != shown, status) }
      let typed = remarks.removed(from: content)
      if typed.isBlank { throw .declined }
      if content == shown {
        let question = invocation.text("Store the card as it is? [Y/n]", "按原样保存卡片吗？[Y/n]")
        guard isFilledIn, try invocation.terminal.confirm(question, defaultAnswer: true) else {
          throw .declined
        }
      }
      if Array(content.utf8) == bytes { return typed }
      let message = invocation.text(
        "This was not UTF-8 text. What could not be read is replaced.", "这不是 UTF-8 文本，无法读取之处已被替换。")
      shown = remarks.added(message, to: content)
      try directory.write("card.txt", shown)
    }
  }

  private var program: Substring { command.prefix { $0 != " " } }

  /// Options that keep the editor from saving the text beside the file or elsewhere, where it would stay on disk.
  private var privateOptions: String {
    let name = String(program)
    // It may have another name, such as Debian's `editor` and `vim.basic`.
    let files = [name] + [SearchPath.find(name).flatMap(SystemPath.resolved)].compactMap(\.self)
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

/// The remarks in a form in an editor: help at the beginning, and issues above their lines.
private struct FormRemarks {
  private let language: Language
  private var lines: [String] = []

  init(_ language: Language) { self.language = language }

  private var help: [String] {
    Localized(
      """
      # Save and leave the editor to store the card. Empty the file to change nothing.
      # A value of several lines stands below its label, indented by two spaces. A * before a label of your own
      # conceals its value; \(FormText.mask) stands for one that stays as it is.
      """,
      """
      # 保存并退出编辑器即存储卡片；清空文件则不作更改。
      # 多行内容写在名称下方，缩进两个空格。自定义字段的名称前加 * 则内容保密；
      # \(FormText.mask) 代表保持不变的保密内容。
      """)[language].lines
  }

  /// Returns a text with help, and with what is wrong.
  mutating func added(to text: String, _ issues: [IssueJSON]) -> String {
    var result = Self.split(text)
    let placed = issues.map { (line: $0.line ?? 1, text: "# ! \($0.message.text.oneLine)") }
    for remark in placed.sorted(by: { $0.line < $1.line }).reversed() {
      result.insert(remark.text, at: min(remark.line - 1, result.count))
    }
    lines += help + placed.map(\.text)
    return (help + result).joined(separator: "\n")
  }

  /// Returns a text with one more line at its beginning.
  mutating func added(_ message: String, to text: String) -> String {
    lines.append("# ! \(message)")
    return "# ! \(message)\n\(text)"
  }

  /// Returns a text without the remarks.
  func removed(from text: String) -> String {
    var left = lines
    let kept = Self.split(text).filter { line in
      guard let index = left.firstIndex(of: line.hasSuffix("\r") ? String(line.dropLast()) : line) else {
        return true
      }
      left.remove(at: index)
      return false
    }
    return kept.joined(separator: "\n")
  }

  private static func split(_ text: String) -> [String] {
    text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { String(Substring($0)) }
  }
}
