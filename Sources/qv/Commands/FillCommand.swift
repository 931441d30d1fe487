import CLinux
import Glibc
import VaultInterface

enum FillCommand {
  private static let input = Option(name: "in", short: "i", value: .files)
  private static let output = Option(name: "out", short: "o", value: .files)
  private static let concealed = Option(name: "concealed")

  static let command = Command(
    name: "fill", summary: Localized("fill in the placeholders of a file", "填充文件中的占位符"),
    help: Localized(
      """
      qv fill FILE [--out FILE] [--concealed] [--yes]
      qv fill --in FILE --out FILE

      Prints a text file, or standard input for -, with a value in place of each placeholder:
      {{qv:Title.field}} for a field, by its key or label, {{qv:Title}} for a whole card, and qv://CARD/FIELD, where
      CARD is a whole title or an id. There, characters other than letters, digits and -._~ are percent-encoded, such
      as %20 for a space. The field totp is the one-time code of the moment.
      On a terminal, asks once before concealed fields are filled in; elsewhere, they need --concealed. A whole card
      has its concealed fields only with --concealed. If a placeholder cannot be filled in, reports its line and
      prints nothing.
      -i, --in is the same as FILE. With -o, --out, the result is written to a file that only you can read (0600);
      qv asks before it replaces one. --yes answers these questions.
      """,
      """
      qv fill 文件 [--out 文件] [--concealed] [--yes]
      qv fill --in 文件 --out 文件

      输出文本文件（- 表示标准输入），并把其中的占位符换成内容：{{qv:标题.字段}} 为一个字段（字段键或字段名），
      {{qv:标题}} 为整张卡片；也可写作 qv://卡片/字段，其中的卡片为完整标题或编号，字母、数字和 -._~ 以外的字符
      须用百分号编码，如空格写作 %20。字段 totp 为此刻的一次性密码。
      在终端上，填入保密字段前会先询问一次；否则需要 --concealed。
      整张卡片只有使用 --concealed 才包含保密字段。
      若有占位符无法填充，则报告所在的行，不输出任何内容。
      -i、--in 与“文件”相同。使用 -o、--out 时，结果写入只有您能读取的文件（0600）；若文件已存在，会先询问是否替换。
      --yes 对上述询问一律回答“是”。
      """),
    options: [input, output, concealed, .yes] + Option.password, operands: [.files]
  ) { invocation throws(Failure) in
    let arguments = invocation.arguments
    try arguments.allow(arguments.has(input) ? 0 : 1)
    guard let path = arguments[input] ?? invocation.operands.first else {
      throw .usage(Localized("which file? Use - for standard input", "请指定文件；- 表示标准输入"))
    }
    let text = ReferenceFiller.Text(try FileSystem.text(path))
    var filler = ReferenceFiller(invocation, consent: concealed)
    try filler.find(text) { "\(path):\($0 + 1)" }
    let target = arguments[output]
    let replaces = try target.map { path throws(Failure) in try FileSystem.confirmReplacing(path, invocation)
    }
    try filler.take { Localized("\($0) is concealed. Fill it in? [y/N]", "“\($0)”是保密字段，是否填入？[y/N]") }
    let filled = filler.filled(text)
    guard let target else { return try invocation.output.write(filled) }
    try FileSystem.write(filled, to: target, replaces: replaces == true)
  }
}

extension FileSystem {
  /// The content of a file, or of standard input for `-`.
  static func text(_ path: String) throws(Failure) -> String {
    let file = path == "-" ? 0 : unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw .file(path) }
    defer { if file > 0 { close(file) } }
    guard let text = String(validating: try Descriptor.read(file), as: UTF8.self) else {
      throw .exit(.invalid, Localized("\(path) is not UTF-8 text", "\(path) 不是 UTF-8 文本"))
    }
    return text
  }

  /// Writes a file that only the user can read, completely or not at all.
  ///
  /// - Parameter replaces: whether it may take the place of another.
  fileprivate static func write(_ text: String, to path: String, replaces: Bool) throws(Failure) {
    guard let made = unsafe strdup("\(path).XXXXXX") else { throw .file(path) }
    defer { unsafe free(made) }
    let file = unsafe mkstemp(made)
    guard file >= 0 else { throw .file(path) }
    defer {
      close(file)
      unsafe unlink(made)
    }
    try Descriptor.write(Array(text.utf8), to: file)
    guard fsync(file) == 0, unsafe (replaces ? rename(made, path) : linux_rename_to_new(made, path)) == 0
    else {
      throw .file(path)
    }
  }
}
