import VaultModel

enum TypeCommand {
  static let command = Command(
    name: "type", summary: Localized("type a card or a field into the focused window", "把卡片或字段键入当前窗口"),
    help: Localized(
      """
      qv type CARD [--field FIELD] [--style STYLE] [--template TEXT] [--concealed]

      Types a card or a field into the focused window with wtype (Wayland) or xdotool (X11), without using the
      clipboard. Bind it to a key of your desktop, with qv pick.
      """,
      """
      qv type 卡片 [--field 字段] [--style 样式] [--template 文本] [--concealed]

      用 wtype（Wayland）或 xdotool（X11）把卡片或字段键入当前窗口，不经过剪贴板。
      可与 qv pick 一起绑定到桌面快捷键。
      """),
    options: CopyCommand.options + Option.password, operands: [.titles]
  ) { invocation throws(Failure) in
    let id = try CardReference.resolve(invocation.words, invocation)
    let text = try CopiedText(id, invocation)
    text.reportLeftOut(invocation)
    try Typing.type(text)
  }
}

/// Types text into the focused window.
enum Typing {
  static func type(_ text: CopiedText) throws(Failure) {
    for (variable, words) in [
      ("WAYLAND_DISPLAY", ["wtype", "-"]),
      ("DISPLAY", ["xdotool", "type", "--clearmodifiers", "--file", "-"]),
    ] {
      // The text goes through a pipe, since other users can see arguments.
      guard Environment.given(variable) != nil, let program = SearchPath.find(words[0]),
        try ChildProcess.run(program, words, input: Array(text.text.utf8), showsErrors: true)?.status == 0
      else { continue }
      return
    }
    throw .exit(
      .failure,
      Localized(
        "nothing was typed: install wtype (Wayland) or xdotool (X11)", "未能键入：请安装 wtype（Wayland）或 xdotool（X11）"
      ))
  }
}
