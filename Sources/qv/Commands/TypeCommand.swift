import VaultInterface

enum TypeCommand {
  static let command = Command(
    name: "type", summary: Localized("type a card or a field into the focused window", "把卡片或字段键入当前窗口"),
    help: Localized(
      """
      qv type CARD [--field FIELD] [--style STYLE] [--template TEXT] [--concealed] [--search]

      Types a card or a field into the focused window with wtype (Wayland) or xdotool (X11), without using the
      clipboard. Bind it to a key of your desktop, with qv pick.
      """,
      """
      qv type 卡片 [--field 字段] [--style 样式] [--template 文本] [--concealed] [--search]

      用 wtype（Wayland）或 xdotool（X11）把卡片或字段键入当前窗口，不经过剪贴板。
      可与 qv pick 一起绑定到桌面快捷键。
      """),
    options: CopyCommand.options + Option.password, operands: [.titles]
  ) { invocation throws(Failure) in
    let card = try CardReference.resolve(invocation.words, for: .reading, invocation)
    let text = try CopiedText(card.value, invocation)
    text.reportOmittedFields(invocation)
    try KeyboardInput.type(text)
  }
}

/// Types text into the focused window.
enum KeyboardInput {
  static func type(_ text: CopiedText) throws(Failure) {
    // The text goes through a pipe, since other users can see arguments.
    let whole = Array(text.text.utf8)
    if Environment.nonEmptyValue("WAYLAND_DISPLAY") != nil, let program = SearchPath.find("wtype"),
      try ChildProcess.run(program, ["wtype", "-"], input: whole, showsErrors: true)?.status == 0
    {
      return
    }
    if Environment.nonEmptyValue("DISPLAY") != nil, let program = SearchPath.find("xdotool") {
      for (typed, run) in whole.runsByKeyboard.enumerated() {
        let words = ["xdotool", "type", "--clearmodifiers", "--delay", run.delay, "--file", "-"]
        guard try ChildProcess.run(program, words, input: Array(run.text), showsErrors: true)?.status != 0
        else { continue }
        throw .exit(
          .failure,
          typed == 0
            ? Localized("nothing was typed: xdotool failed", "未能键入：xdotool 出错")
            : Localized("only part of the text was typed: xdotool failed", "只键入了部分文本：xdotool 出错"))
      }
      return
    }
    throw .exit(
      .failure,
      Localized(
        "nothing was typed: install wtype (Wayland) or xdotool (X11)", "未能键入：请安装 wtype（Wayland）或 xdotool（X11）"
      ))
  }
}

extension [UInt8] {
  /// Splits the text where it passes from characters on the keyboard to others, with the time in milliseconds that
  /// xdotool gives each character.
  ///
  /// For a character that is not on the keyboard, xdotool changes the layout, presses the key and changes it back. A
  /// window that looks at the layout too late gets another character, or none.
  fileprivate var runsByKeyboard: [(text: ArraySlice<UInt8>, delay: String)] {
    var runs: [(text: ArraySlice<UInt8>, delay: String)] = []
    var rest = self[...]
    while let first = rest.first {
      let isASCII = first < 0x80
      let run = rest.prefix { ($0 < 0x80) == isASCII }
      runs.append((run, isASCII ? "12" : "100"))
      rest = rest.dropFirst(run.count)
    }
    return runs
  }
}
