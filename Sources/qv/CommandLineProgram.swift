import CLinux
import Glibc
import VaultInterface

/// qv from its arguments to its exit status.
package enum CommandLineProgram {
  /// The version of qv, which is that of quickvault.
  static let version = "0.2.0"

  /// The umask of the caller. From its first use on, files are for the user only.
  static let callersMask = umask(0o077)

  /// Runs a command line.
  ///
  /// - Returns: the exit status. If a signal ended the command, this does not return.
  package static func run(_ words: [String]) -> Int32 {
    _ = callersMask
    linux_forbid_core_files()
    // Another program of the user could read the password from the memory, and a ticket from /proc/PID/environ.
    linux_forbid_dumping()
    _ = Environment.ticket
    fillStandardDescriptors()
    var invocation: Invocation?
    do throws(Failure) {
      try checkEncoding()
      let arguments = try Arguments(words)
      prepareDescriptors(arguments)
      _ = Signals.descriptor
      let made = Invocation(arguments)
      invocation = made
      try execute(made)
      made.openedVault?.close()
      return 0
    } catch {
      invocation?.openedVault?.close()
      switch error {
      case .signal(let number): Signals.end(by: number)
      case .status(let number): return number
      case .exit(let status, let messages):
        for message in messages { printError(message) }
        return status.rawValue
      }
    }
  }

  private static func execute(_ invocation: Invocation) throws(Failure) {
    do throws(Failure) {
      try invocation.arguments.command.run(invocation)
    } catch {
      // What was printed before counts, too.
      if case .exit = error { try invocation.output.flush() }
      throw error.addingHint(invocation.arguments.command)
    }
    try invocation.output.flush()
  }

  static func printError(_ message: Localized) {
    Terminal.standard.show(Terminal.line(message[Environment.language]))
  }

  /// Refuses arguments that are not UTF-8, which the words have with replaced characters.
  private static func checkEncoding() throws(Failure) {
    for index in 0..<Int(CommandLine.argc) {
      guard let argument = unsafe CommandLine.unsafeArgv[index] else { continue }
      if unsafe String(validatingCString: argument) == nil {
        throw .usage(Localized("an argument is not UTF-8 text", "有参数不是 UTF-8 文本"))
      }
    }
  }

  /// Opens `/dev/null` for each of the first three descriptors that is closed, so that no file of ours becomes one. Output that
  /// goes nowhere is an error, and a message that goes nowhere is none.
  private static func fillStandardDescriptors() {
    for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 {
      _ = unsafe open("/dev/null", descriptor == 2 ? O_WRONLY : O_RDONLY)
    }
  }

  /// Keeps the programs that qv runs from reading passwords. A descriptor that is closed becomes `/dev/null`, so that no file of
  /// ours becomes one, from which the password would be read.
  private static func prepareDescriptors(_ arguments: Arguments) {
    for option in [Option.passwordDescriptor, .newPasswordDescriptor] {
      guard let number = arguments.number(option).map({ Int32($0) }), number > 2 else { continue }
      if fcntl(number, F_SETFD, FD_CLOEXEC) >= 0 { continue }
      let null = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
      guard null >= 0, null != number else { continue }
      dup2(null, number)
      close(null)
      _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    }
  }
}
