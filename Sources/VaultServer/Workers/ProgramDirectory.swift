import Glibc

/// Where the programs are that the vault's process starts.
///
/// Beside the program itself, as in a build, or in `../libexec/quickvault` from there, as after `make install`; with
/// `--helpers` in that directory and nowhere else. Never along `PATH`, which anybody's shell may have changed.
struct ProgramDirectory: Sendable {
  private let directories: [String]

  /// The directories to look in.
  ///
  /// - Parameter override: the one that the command line named; nil where it named none.
  init(override: String?) {
    directories = override.map { [$0] } ?? Self.usual
  }

  /// The path of a program; nil where none of the directories has one that may be run.
  func path(of name: String) -> String? {
    directories.map { "\($0)/\(name)" }.first { unsafe access($0, X_OK) == 0 }
  }

  private static var usual: [String] {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = unsafe readlink("/proc/self/exe", &target, Int(PATH_MAX))
    guard count > 0 else { return [] }
    let program = String(decoding: target[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard let slash = program.lastIndex(of: "/") else { return [] }
    let directory = String(program[..<slash])
    return [directory, directory + "/../libexec/quickvault"]
  }
}
