import VaultInterface

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
