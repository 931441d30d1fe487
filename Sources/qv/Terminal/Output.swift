import Glibc
import VaultInterface
import Wire

/// Standard output. What cannot be written is a failure.
final class Output {
  private let descriptor: Int32
  private var bytes: [UInt8] = []
  /// The number of columns of the terminal; nil if this is no terminal.
  let width: Int?
  /// Whether the terminal can show bold text, and the user wants it.
  let hasStyles: Bool

  private static let portion = 64 << 10

  init(_ descriptor: Int32 = 1) {
    self.descriptor = descriptor
    guard isatty(descriptor) == 1 else {
      (width, hasStyles) = (nil, false)
      return
    }
    width = Terminal.size(of: descriptor).columns
    let kind = Terminal.kind
    hasStyles = (Environment["NO_COLOR"] ?? "").isEmpty && kind != "dumb" && !kind.isEmpty
  }

  var isTerminal: Bool { width != nil }

  func bold(_ text: String) -> String { hasStyles ? "\u{1b}[1m\(text)\u{1b}[0m" : text }

  func write(_ text: String) throws(Failure) {
    bytes.append(contentsOf: text.utf8)
    if bytes.count >= Self.portion { try flush() }
  }

  func line(_ text: String) throws(Failure) {
    try write(text)
    bytes.append(0x0A)
  }

  func write(_ content: [UInt8]) throws(Failure) {
    bytes.append(contentsOf: content)
    if bytes.count >= Self.portion { try flush() }
  }

  /// Prints a value as indented JSON.
  func json(_ value: JSON) throws(Failure) { try write(value.prettyText) }

  func flush() throws(Failure) {
    defer { bytes.removeAll(keepingCapacity: true) }
    try Descriptor.write(bytes, to: descriptor)
  }
}

enum Descriptor {
  /// The number of bytes that a pipe takes without waiting, once it is ready.
  private static let pipePortion = 4096

  /// Writes all bytes, to a pipe in portions, so that a signal ends the wait for a slow reader.
  static func write(_ bytes: [UInt8], to descriptor: Int32) throws(Failure) {
    var position = 0
    while position < bytes.count {
      try Signals.wait(for: descriptor, POLLOUT)
      let count = min(bytes.count - position, pipePortion)
      let written = unsafe bytes.withUnsafeBytes { bytes in
        unsafe Glibc.write(descriptor, bytes.baseAddress.map { unsafe $0 + position }, count)
      }
      if written >= 0 { position += written; continue }
      if errno == EINTR || errno == EAGAIN { continue }
      // A reader that has enough ends this program as it ends others.
      if errno == EPIPE { throw descriptor == 1 ? .signal(SIGPIPE) : .exit(.output, []) }
      let reason = unsafe String(cString: strerror(errno))
      throw .exit(.output, Localized("cannot write the output: \(reason)", "无法写入输出：\(reason)"))
    }
  }

  /// Reads until the end of input.
  ///
  /// - Parameter limit: the number of bytes after which reading stops.
  static func read(_ descriptor: Int32, upTo limit: Int = .max) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count <= limit, let portion = try readAvailable(descriptor) { bytes += portion }
    return bytes
  }

  /// Reads what is available, waiting for it.
  ///
  /// - Returns: nil at the end of input, and if the descriptor cannot be read.
  static func readAvailable(_ descriptor: Int32, upTo limit: Int = 64 << 10) throws(Failure) -> [UInt8]? {
    while true {
      try Signals.wait(for: descriptor)
      try Signals.awaitForeground(descriptor)
      var buffer = [UInt8](repeating: 0, count: limit)
      let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
      if count > 0 { return Array(buffer.prefix(count)) }
      guard count < 0, errno == EINTR || errno == EAGAIN else { return nil }
    }
  }

  /// The text of some input. Replacing what is not UTF-8 would lose what was typed, and make one password of many.
  static func text(_ bytes: [UInt8]) throws(Failure) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw notText }
    return text
  }

  static let notText = Failure.exit(
    .invalid, Localized("the input is not UTF-8 text", "输入不是 UTF-8 文本"))

  /// Reads a line byte by byte, so that what follows it stays in the descriptor.
  ///
  /// - Returns: the line without its end; nil at the end of input, or if the descriptor cannot be read.
  /// - Throws: also if the line is not UTF-8.
  static func readLine(_ descriptor: Int32) throws(Failure) -> String? {
    var bytes: [UInt8] = []
    while let byte = try readAvailable(descriptor, upTo: 1)?.first {
      if byte == 0x0A { return try text(withoutReturn(bytes)) }
      bytes.append(byte)
    }
    return bytes.isEmpty ? nil : try text(withoutReturn(bytes))
  }

  /// A line without the carriage return before its end, which Windows writes.
  static func withoutReturn(_ line: [UInt8]) -> [UInt8] { line.last == 0x0D ? line.dropLast() : line }

  static func close(_ descriptor: Int32) { Glibc.close(descriptor) }
}

/// Shows lines on the alternate screen of the terminal, so that the scrollback does not keep them, until a key or a lock ends it.
enum Pager {
  static func show(_ lines: [String], _ invocation: Invocation) throws(Failure) {
    let connection = try invocation.vault.connected()
    let shown: Void? = try Terminal.withControlling { terminal throws(Failure) in
      try terminal.withKeys { keys throws(Failure) in
        terminal.show("\u{1b}[?1049h")
        defer { terminal.show("\u{1b}[?1049l") }
        var first = 0
        while true {
          let (rows, columns) = Terminal.size(of: terminal.output)
          let (page, all) = (max(rows - 1, 1), lines.flatMap(\.lines).flatMap { $0.wrapped(to: columns) })
          first = max(min(first, all.count - page), 0)
          let hint = invocation.text("q closes, Space and arrows scroll", "q 关闭，空格和方向键滚动")
          terminal.show(
            "\u{1b}[H\u{1b}[J" + all.dropFirst(first).prefix(page).map { $0 + "\r\n" }.joined()
              + "\u{1b}[\(rows);1H" + hint.truncated(to: columns - 1).trimmedEnd)
          switch try keys.next(while: connection) {
          case .escape, .enter, .end, .closed, .character("q"): return
          case .down: first += 1
          case .up: first -= 1
          case .pageDown, .character(" "): first += page
          case .pageUp: first -= page
          default: break
          }
        }
      }
    }
    guard shown != nil else {
      throw .usage(Localized("there is no terminal for a pager", "没有可供翻阅的终端"))
    }
  }
}

extension String {
  /// This line as lines of a terminal with so many columns.
  fileprivate func wrapped(to columns: Int) -> [String] {
    var (lines, width) = ([""], 0)
    for character in self {
      let own = String(character).displayWidth
      if width + own > columns {
        lines.append("")
        width = 0
      }
      lines[lines.count - 1].append(character)
      width += own
    }
    return lines
  }
}

extension AccountDidPrompt {
  /// Shows the page, on a terminal with a QR code if qrencode is installed and it fits.
  func show(_ invocation: Invocation) {
    let url = url.printable
    if let code = code?.oneLine {
      invocation.report(
        "open \(url) in any browser and type the code \(code)", "请在任一浏览器中打开 \(url) 并输入代码 \(code)")
    } else {
      invocation.report("open \(url) in your browser", "请在浏览器中打开 \(url)")
    }
    let width = Terminal.size(of: invocation.terminal.output).columns
    if Terminal.showsMessages, let urlWithCode = urlWithCode?.printable,
      let picture = Self.picture(of: urlWithCode),
      picture.split(separator: "\n").allSatisfy({ $0.count <= width })
    {
      invocation.terminal.show(picture)
    }
  }

  /// The URL as a QR code; nil without qrencode. It reads the text from a pipe, since others can read the arguments of a process.
  private static func picture(of text: String) -> String? {
    guard let program = SearchPath.find("qrencode"),
      let result = try? ChildProcess.run(program, ["qrencode", "-t", "UTF8"], input: Array(text.utf8)),
      result.status == 0
    else { return nil }
    return String(decoding: result.output, as: UTF8.self)
  }
}
