import Glibc
import VaultInterface
import Wire

enum RunCommand {
  private static let file = Option(name: "env-file", value: .files)
  private static let noMasking = Option(name: "no-masking")

  static let command = Command(
    name: "run", summary: Localized("run a program with values of the vault", "运行程序，并把保险库中的值交给它"),
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
