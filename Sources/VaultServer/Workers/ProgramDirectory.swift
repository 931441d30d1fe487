import Glibc

/// The directories of the helper programs.
///
/// They are the program's own, as in a build, and `../libexec/quickvault`, as after `make install`, or that of `--helpers` alone;
/// never those of `PATH`, which may have been changed.
struct ProgramDirectory: Sendable {
  private let directories: [String]

  /// - Parameter override: the directory of the command line, if any.
  init(override: String?) {
    directories = override.map { [$0] } ?? Self.usual
  }

  /// The path of an executable program; nil if there is none.
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
