import Glibc
import VaultInterface
import Wire

/// Where passwords come from: a descriptor, a command, the terminal without echo, or a pinentry; never an argument or the environment.
///
/// A descriptor gives the master password in its first line, however often and whether or not the command needs it. Other
/// passwords are in the lines after it.
final class PasswordSource {
  private let invocation: Invocation
  /// The first line of the descriptor, once it was read.
  private var master: String?

  init(_ invocation: Invocation) { self.invocation = invocation }

  private var arguments: Arguments { invocation.arguments }

  /// Whether a password is given by an option, so that asking again is no use.
  var isGiven: Bool { isGiven(by: .passwordDescriptor) }

  /// Whether the user's pinentry asks, which the service starts: on request, and where there is a display but no terminal.
  var usesPinentry: Bool {
    guard !isGiven else { return false }
    let hasDisplay = ["DISPLAY", "WAYLAND_DISPLAY"].contains { Environment.nonEmptyValue($0) != nil }
    return arguments.has(.pinentry) || hasDisplay && !Terminal.hasControlling
  }

  /// Reads the master password.
  ///
  /// - Throws: ``Failure/declined`` for an empty line of the terminal; ``ExitStatus/locked`` without one, or if a command gives
  ///   none, as a keyring that is locked does; ``ExitStatus/usage`` if a descriptor gives none.
  func read(_ prompt: Localized) throws(Failure) -> String {
    if let master { return master }
    if let line = try line(of: .passwordDescriptor) {
      master = line
      return line
    }
    if let command = arguments[.passwordCommand] { return try run(command) }
    return try ask(
      prompt,
      orElse: Localized(
        "the password is needed and there is no terminal to ask for it; use --password-fd, --password-command or --pinentry",
        "需要密码，且没有终端可供输入：请用 --password-fd、--password-command 或 --pinentry"))
  }

  /// Reads the password of another copy or machine. A descriptor has it in its second line; without one, it is the master password.
  func readOther(_ prompt: Localized) throws(Failure) -> String {
    guard let number = arguments.number(.passwordDescriptor) else { return try read(prompt) }
    let first = try read(prompt)
    guard let line = try Descriptor.readLine(Int32(number)), !line.isEmpty else { return first }
    return line
  }

  /// Reads a line of the descriptor that an option gives; nil without the option.
  private func line(of option: Option) throws(Failure) -> String? {
    guard let number = arguments.number(option) else { return nil }
    let name = "--\(option.name) \(number)"
    guard let line = try Descriptor.readLine(Int32(number)) else {
      throw .usage(
        Localized("could not read a password from descriptor \(name)", "无法从描述符 \(name) 读取密码"))
    }
    guard !line.isEmpty else {
      throw .usage(Localized("the line from \(name) is empty", "从 \(name) 读到的是空行"))
    }
    return line
  }

  /// Reads the app password of a server, or the client secret at a provider. A command or a pinentry has the master password,
  /// which is never sent there.
  ///
  /// - Parameter isOnlySecret: whether the master password was not read, for want of a vault. It may be in the descriptor all the
  ///   same, in the line before, so that a script need not know.
  /// - Throws: as ``read(_:from:)``.
  func readForServer(_ prompt: Localized, isOnlySecret: Bool) throws(Failure) -> String {
    guard let number = arguments.number(.passwordDescriptor) else {
      return try ask(
        prompt,
        orElse: Localized(
          "the app password or the client secret is needed and there is no terminal to ask for it; use --password-fd",
          "需要应用密码或客户端密钥，且没有终端可供输入：请用 --password-fd"))
    }
    let line = try Descriptor.readLine(Int32(number))
    let last = isOnlySecret ? try Descriptor.readLine(Int32(number)) ?? line : line
    guard let last else {
      throw .usage(
        Localized(
          "--password-fd needs two lines: the master password, then the app password or the client secret",
          "--password-fd 需要两行：第一行为主密码，第二行为应用密码或客户端密钥"))
    }
    return last
  }

  /// Asks at the terminal.
  ///
  /// - Parameter message: what to say without one.
  private func ask(_ prompt: Localized, orElse message: Localized) throws(Failure) -> String {
    let language = invocation.language
    let answer = try Terminal.withControlling { terminal throws(Failure) in
      try LinePrompt.secret(prompt[language], on: terminal)
    }
    guard let answer else { throw .exit(.locked, message) }
    guard let password = answer, !password.isEmpty else { throw .declined }
    return password
  }

  private func run(_ command: String) throws(Failure) -> String {
    let result = try ChildProcess.run("/bin/sh", ["sh", "-c", command], showsErrors: true)
    guard let result, result.status == 0 else {
      let status = result?.status ?? 127
      throw .exit(
        .locked,
        Localized(
          "the command of --password-command failed (\(status))", "--password-command 的命令失败（\(status)）"))
    }
    let line = Descriptor.withoutReturn(Array(result.output.prefix { $0 != 0x0A }))
    guard !line.isEmpty else {
      throw .exit(
        .locked,
        Localized("the command of --password-command printed no password", "--password-command 的命令没有输出密码"))
    }
    return try Descriptor.text(line)
  }

  /// Whether a password is given by the option for a descriptor, or by the command in its place.
  private func isGiven(by descriptor: Option) -> Bool {
    arguments.has(descriptor)
      || descriptor.name == Option.passwordDescriptor.name && arguments.has(.passwordCommand)
  }

  /// Reads a new password, twice if it is typed.
  func readNew(_ descriptor: Option, _ vault: Vault) throws(Failure) -> String {
    let isTyped = !isGiven(by: descriptor)
    while true {
      let password = try readNew(Prompt.new, descriptor)
      guard try accepts(password, isTyped: isTyped, vault) else { continue }
      if !isTyped { return password }
      if try readNew(Prompt.repetition, descriptor) == password { return password }
      invocation.report("the passwords do not match", "两次输入的密码不一致")
    }
  }

  private func readNew(_ prompt: Localized, _ descriptor: Option) throws(Failure) -> String {
    if let line = try line(of: descriptor) { return line }
    if isGiven(by: descriptor), let command = arguments[.passwordCommand] { return try run(command) }
    return try ask(
      prompt,
      orElse: Localized(
        "the new password is needed and there is no terminal to ask for it; use --\(descriptor.name)",
        "需要新密码，且没有终端可供输入：请用 --\(descriptor.name)"))
  }

  /// Whether a new password is long enough, and hard to guess or wanted anyway.
  private func accepts(_ password: String, isTyped: Bool, _ vault: Vault) throws(Failure) -> Bool {
    switch try vault.send(PasswordCheck(password: password)) {
    case .failure(let error):
      guard isTyped, error.kind.hasPrefix("auth.passwordToo") else { throw error.failure }
      invocation.report(error.message)
      return false
    case .success(let answer):
      guard let warning = answer.warnings.first else { return true }
      invocation.report(warning.message.text)
      if !isTyped { return true }
      return try invocation.terminal.confirm(invocation.text("Use it anyway? [y/N]", "仍要使用吗？[y/N]"))
    }
  }

  /// Shows the error of a wrong password. Ends the command if no further attempt is possible.
  func reportWrong(_ error: RequestError) throws(Failure) {
    if error.kind == "auth.lockedOut" || isGiven || error.data["attemptsLeft"]?.integer == 0 {
      throw error.failure
    }
    invocation.report(error.message)
  }
}

/// The prompts for passwords.
enum Prompt {
  static let unlock = Localized("Master password: ", "主密码：")
  static let new = Localized("New master password (at least 8 characters): ", "新主密码（至少 8 个字符）：")
  static let repetition = Localized("Repeat the password: ", "再次输入密码：")
  static let current = Localized("Current master password: ", "当前主密码：")
  static let confirmation = Localized("Master password, to confirm: ", "主密码（用于确认）：")
  static let original = Localized("Master password, to get the original: ", "主密码（用于取出原件）：")
  static let ofOtherMachine = Localized("Master password of the other machine: ", "另一台电脑上的主密码：")
  static let ofClient = Localized("Client secret at the provider: ", "在登录服务中的客户端密钥：")
  static let ofAccount = Localized("App password of the server: ", "服务器的应用密码：")
  static let copy = Localized("Master password of the copy: ", "副本的主密码：")
}

extension KeyDerivationRequest {
  /// The choice of the options; nil if there is none.
  static func chosen(_ arguments: Arguments) throws(Failure) -> KeyDerivationRequest? {
    let (name, iterations, memory) = (
      arguments["kdf"], arguments.number("iterations"), arguments.number("memory")
    )
    guard name != nil || iterations != nil || memory != nil else { return nil }
    switch name ?? (memory == nil ? "pbkdf2" : "argon2id") {
    case "pbkdf2", "pbkdf2-hmac-sha256":
      guard memory == nil else {
        throw .exit(.invalid, Localized("--memory needs --kdf argon2id", "--memory 须与 --kdf argon2id 同时使用"))
      }
      return .pbkdf2(iterations: iterations)
    case "argon2id": return .argon2id(iterations: iterations, memoryKiB: memory)
    default: throw .usage(Localized("--kdf takes pbkdf2 or argon2id", "--kdf 的值为 pbkdf2 或 argon2id"))
    }
  }
}
