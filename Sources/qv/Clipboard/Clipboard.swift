import Glibc
import VaultInterface
import Wire

/// Puts text on the clipboard. It goes through pipes only, never through arguments, files or variables.
enum Clipboard {
  static func copy(_ copied: CopiedText, _ invocation: Invocation) throws(Failure) {
    let content = Array(copied.text.utf8)
    let name = copied.name.oneLine
    if let command = invocation.arguments[.clipboardCommand] {
      let result = try ChildProcess.run(
        "/bin/sh", ["sh", "-c", command], input: content, showsErrors: true, readsOutput: false)
      guard result?.status == 0 else { throw failed(command) }
      return invocation.report("copied \(name) with \(command)", "已用 \(command) 复制“\(name)”")
    }
    for program in ClipboardProgram.available {
      guard try program.fill(content) else { continue }
      guard let seconds = copied.clearAfterSeconds else {
        return invocation.report("copied \(name)", "已复制“\(name)”")
      }
      try ClipboardTimer.schedule(program, after: seconds, content, invocation.arguments)
      return invocation.report(
        "copied \(name); the clipboard will be cleared in \(seconds) s", "已复制“\(name)”；剪贴板将在 \(seconds) 秒后清除")
    }
    switch try TerminalClipboard.copy(content) {
    case nil: throw unavailable
    case .taken:
      invocation.report(
        "copied \(name) through the terminal, which cannot clear it again", "已通过终端复制“\(name)”；终端剪贴板中的内容无法自动清除"
      )
    case .uncertain:
      invocation.report(
        "gave \(name) to tmux for the terminal, but tmux knows of no clipboard there; if nothing can be pasted, use --print or --clipboard-command",
        "已把“\(name)”交给 tmux 转给终端，但 tmux 不知道该终端有剪贴板；如无法粘贴，请用 --print 或 --clipboard-command")
    }
  }

  private static func failed(_ command: String) -> Failure {
    .exit(.failure, Localized("\(command) failed; nothing was copied", "\(command) 失败，未复制任何内容"))
  }

  private static let unavailable = Failure.exit(
    .failure,
    Localized(
      "there is no clipboard here: install wl-clipboard, xclip or xsel, or use --clipboard-command or --print",
      "此处没有剪贴板：请安装 wl-clipboard、xclip 或 xsel，或使用 --clipboard-command 或 --print"))
}

/// The clipboard of the terminal itself, by the control sequence OSC 52.
enum TerminalClipboard {
  private static let limit = 74_994

  enum Result {
    case taken
    /// tmux may not have passed it on.
    case uncertain
  }

  /// - Returns: nil if there is no terminal that may have one.
  static func copy(_ content: [UInt8]) throws(Failure) -> Result? {
    guard content.count <= limit else { return nil }
    // tmux passes its own buffers on to the terminal, whatever it allows programs inside.
    if Environment.nonEmptyValue("TMUX") != nil, let tmux = SearchPath.find("tmux") {
      let buffer = "quickvault-\(getpid())"
      let loaded = try ChildProcess.run(
        tmux, ["tmux", "load-buffer", "-w", "-b", buffer, "-"], input: content)
      if loaded?.status == 0 {
        _ = try ChildProcess.run(tmux, ["tmux", "delete-buffer", "-b", buffer])
        let features = try ChildProcess.run(
          tmux, ["tmux", "display-message", "-p", "#{client_termfeatures}"])
        let names = String(decoding: features?.output ?? [], as: UTF8.self).trimmed.split(separator: ",")
        return names.contains("clipboard") ? .taken : .uncertain
      }
    }
    let kind = Environment["TERM"] ?? ""
    guard !["", "dumb", "linux"].contains(kind) else { return nil }
    let sequence = "\u{1b}]52;c;\(Base64.text(content))\u{7}"
    // GNU screen passes on what is wrapped in a device control string.
    let wrapped =
      kind.hasPrefix("screen") && Environment.nonEmptyValue("TMUX") == nil
      ? "\u{1b}P\(sequence)\u{1b}\\" : sequence
    return try Terminal.withControlling { $0.show(wrapped) } == nil ? nil : .taken
  }
}

/// A program that reads and writes the clipboard.
enum ClipboardProgram: String, CaseIterable {
  case wayland = "wl-copy"
  case xclip, xsel
  case mac = "pbcopy"

  /// The programs that can be used here, best first.
  static var available: [ClipboardProgram] { allCases.filter(\.isAvailable) }

  private var isAvailable: Bool {
    let display =
      switch self {
      case .wayland: Environment.nonEmptyValue("WAYLAND_DISPLAY")
      case .xclip, .xsel: Environment.nonEmptyValue("DISPLAY")
      case .mac: "any"
      }
    return display != nil && SearchPath.find(rawValue) != nil && SearchPath.find(reading[0]) != nil
  }

  private var writing: [String] {
    switch self {
    case .wayland: ["wl-copy"]
    case .xclip: ["xclip", "-selection", "clipboard"]
    case .xsel: ["xsel", "--clipboard", "--input"]
    case .mac: ["pbcopy"]
    }
  }

  private var reading: [String] {
    switch self {
    case .wayland: ["wl-paste", "--no-newline"]
    case .xclip: ["xclip", "-selection", "clipboard", "-o"]
    case .xsel: ["xsel", "--clipboard", "--output"]
    case .mac: ["pbpaste"]
    }
  }

  private var clearing: [String] {
    switch self {
    case .wayland: ["wl-copy", "--clear"]
    case .xclip: writing
    case .xsel: ["xsel", "--clipboard", "--clear"]
    case .mac: writing
    }
  }

  /// Marks the text as a secret where the program can, for those that keep what was copied: wl-copy from version 2.3 on.
  ///
  /// - Returns: whether the program took the text. It may keep running.
  func fill(_ content: [UInt8]) throws(Failure) -> Bool {
    if self == .wayland, try run(writing + ["--sensitive"], content, readsOutput: false)?.status == 0 {
      return true
    }
    return try run(writing, content, readsOutput: false)?.status == 0
  }

  /// The content of the clipboard; nil if it cannot be read.
  func content() throws(Failure) -> [UInt8]? {
    guard let result = try run(reading, []), result.status == 0 else { return nil }
    return result.output
  }

  func clear() throws(Failure) { _ = try run(clearing, [], readsOutput: false) }

  private func run(_ words: [String], _ input: [UInt8], readsOutput: Bool = true) throws(Failure)
    -> (status: Int32, output: [UInt8])?
  {
    guard let path = SearchPath.find(words[0]) else { return nil }
    return try ChildProcess.run(path, words, input: input, readsOutput: readsOutput)
  }
}
