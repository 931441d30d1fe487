import Glibc
import Wire

/// The programs that ask for passwords.
public enum PinentryProgram {
  /// Those that may be executed.
  ///
  /// - Parameter chosen: that of the command line; nil for the usual ones.
  public static func paths(_ chosen: String?) -> [String] { PinentryEnvironment.programs(chosen) }
}

/// The directories of the helper programs.
///
/// They are the program's own, as in a build, and `../libexec/quickvault`, as after `make install`, or that of `--helpers` alone;
/// never those of `PATH`, which may have been changed.
public struct ProgramDirectory: Sendable {
  private let directories: [String]

  /// The programs that the process may execute besides itself: directories and files, which need not exist.
  ///
  /// A directory of its own is named as a whole, so that an upgraded program is found there. Of the process's own
  /// directory, which may be `/usr/bin`, only the programs are.
  public let executables: [String]

  /// - Parameter override: the directory of the command line, if any.
  public init(override: String?) {
    if let override {
      (directories, executables) = ([override], [override])
    } else if let own = Self.ownDirectory {
      let libexec = own + "/../libexec/quickvault"
      directories = [own, libexec]
      executables = [ImagingRun.program, DesktopProgram.program].map { "\(own)/\($0)" } + [libexec]
    } else {
      (directories, executables) = ([], [])
    }
  }

  /// The command of the carrier, which is started by a process that has the network; nil if it is not installed.
  public var carrier: [String]? { path(of: "quickvault-carrier").map { [$0, "serve"] } }

  /// The path of an executable program; nil if there is none.
  func path(of name: String) -> String? {
    directories.map { "\($0)/\(name)" }.first { unsafe access($0, X_OK) == 0 }
  }

  private static var ownDirectory: String? {
    guard let program = Executables.ownPath else { return nil }
    return program.lastIndex(of: "/").map { String(program[..<$0]) }
  }
}
