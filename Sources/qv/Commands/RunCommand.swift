import Glibc
import VaultInterface
import Wire

enum RunCommand {
  private static let file = Option(name: "env-file", value: .files)
  private static let noMasking = Option(name: "no-masking")

  static let command = Command(
    name: "run", summary: Localized("run a program with values of the vault", "运行程序，并把保险库中的值交给它"),
    help: Localized(
      """
      qv run [--env-file FILE]... [--no-masking] [--yes] -- PROGRAM [ARGUMENT...]

      Runs a program with values of the vault in its environment: in variables, also those of --env-file, each
      qv://CARD/FIELD and {{qv:Title.field}} is replaced, as in qv fill. Cards go by their whole titles or ids. If one
      cannot be replaced, nothing is started. Arguments are left as they are, since every user can read them.
      A line of the file is NAME=value, NAME='value' or NAME="value"; # begins a comment. It takes precedence over the
      environment, and a later file over an earlier one.
      On a terminal, asks once before concealed fields are given; a script gives --yes.
      In what the program prints, the values, and their lines, are replaced by ••••, but not those of fewer than 4
      characters, nor what the program has changed, such as base64. --no-masking shows all.
      If input and output are a terminal, the program has a terminal of its own; else its output goes through pipes.
      The exit status is that of the program, or 128 and the number of the signal that ended it; 127 if it is not
      there, and 126 if it cannot be started.
      """,
      """
      qv run [--env-file 文件]… [--no-masking] [--yes] -- 程序 [参数…]

      运行程序，并通过环境变量把保险库中的值交给它：各变量（包括 --env-file 中的）里的 qv://卡片/字段 和
      {{qv:标题.字段}} 会被替换，写法同 qv fill；卡片须用完整标题或编号指定。只要有一处无法替换，就不启动程序。
      命令行参数不作替换，因为所有用户都能看到它们。
      文件每行为 NAME=value、NAME='value' 或 NAME="value"，# 之后为注释；文件优先于环境变量，后面的文件优先于前面的。
      在终端上，交出保密字段前会先询问一次；脚本须使用 --yes。
      程序输出中的这些值（以及其中的各行）显示为 ••••；不足 4 个字符的值，以及程序改写过的值（如 base64）不会被遮盖。
      --no-masking 原样显示输出。
      若输入和输出都是终端，程序会得到自己的终端；否则其输出经由管道。
      退出状态为程序的退出状态；程序被信号终止时为 128 加信号编号；没有该程序时为 127，无法启动时为 126。
      """),
    options: [file, noMasking, .yes] + Option.password, operands: [.commands, .files], repeatsOperands: true
  ) { invocation throws(Failure) in
    guard let name = invocation.operands.first, invocation.arguments.separator == 0 else {
      throw .usage(
        Localized("which program? Give it behind --: qv run -- PROGRAM", "请在 -- 之后给出程序：qv run -- 程序"))
    }
    guard let path = SearchPath.find(name) else {
      let isThere = name.contains("/") && FileSystem.exists(name)
      throw cannotStart(name, isThere ? EACCES : ENOENT, invocation)
    }
    let (environment, values) = try environment(of: name.oneLine, invocation)
    invocation.openedVault?.close()
    let program = MaskedProgram(path, invocation.operands, environment: environment)
    let failed =
      invocation.arguments.has(noMasking) || values.isEmpty
      ? program.become() : try program.run(OutputMask(values))
    throw cannotStart(name, failed, invocation)
  }

  private static func cannotStart(_ name: String, _ error: Int32, _ invocation: Invocation) -> Failure {
    invocation.report("\(name): \(unsafe String(cString: strerror(error)))")
    return .status(error == ENOENT ? 127 : 126)
  }

  /// Returns the variables of the program, and what they have of the vault.
  private static func environment(of program: String, _ invocation: Invocation) throws(Failure) -> (
    [String], [String]
  ) {
    var (variables, places): ([String: String], [String: String]) = ([:], [:])
    for entry in ProcessEnvironment.entries {
      guard let sign = entry.firstIndex(of: "=") else { continue }
      variables[String(entry[..<sign])] = String(entry[entry.index(after: sign)...])
    }
    for path in invocation.arguments.all(file) {
      for variable in try EnvironmentFile.read(path) {
        variables[variable.name] = variable.value
        places[variable.name] = "\(path):\(variable.line)"
      }
    }
    var filler = ReferenceFiller(invocation, consent: .yes)
    let texts = variables.mapValues(ReferenceFiller.Text.init).filter(\.value.hasReferences)
    for (name, text) in texts.sorted(by: { $0.key < $1.key }) {
      try filler.find(text) { _ in places[name] ?? name }
    }
    try filler.take {
      Localized("\(program) gets \($0). Give it that? [y/N]", "“\(program)”将得到“\($0)”，是否给出？[y/N]")
    }
    for (name, text) in texts { variables[name] = filler.filled(text) }
    return (variables.map { "\($0.key)=\($0.value)" }, Array(filler.values.values))
  }
}
