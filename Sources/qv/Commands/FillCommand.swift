import CLinux
import Glibc
import VaultInterface

enum FillCommand {
  private static let input = Option(name: "in", short: "i", value: .files)
  private static let output = Option(name: "out", short: "o", value: .files)
  private static let concealed = Option(name: "concealed")

  static let command = Command(
    name: "fill", summary: Localized("fill in the placeholders of a file", "填充文件中的占位符"),
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
