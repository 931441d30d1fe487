import CLinux
import Glibc

/// The file that a process executes.
struct Executable: Hashable, Sendable {
  let path: String
  private let device: UInt64
  private let number: UInt64
  /// Whether the file was removed or replaced since the process started.
  private let isDeleted: Bool

  /// - Parameter read: gives the file and its path, as `linux_executable_of` does.
  fileprivate init?(_ read: (UnsafeMutablePointer<linux_file>, UnsafeMutablePointer<CChar>) -> Int32) {
    var file = linux_file()
    let target = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(LINUX_PATH_SIZE)) {
      buffer in
      guard let base = buffer.baseAddress, unsafe read(&file, base) == 0 else { return nil as String? }
      return unsafe String(cString: base)
    }
    guard let target else { return nil }
    (device, number) = (file.device, file.number)
    let mark = " (deleted)"
    isDeleted = file.links == 0 && target.hasSuffix(mark)
    path = isDeleted ? String(target.dropLast(mark.count)) : target
  }

  /// Whether the path is no longer that of the file.
  fileprivate var isReplaced: Bool { isDeleted }

  /// Whether this is the same file, or the file that was installed in its place.
  func isSameProgram(as other: Self) -> Bool {
    let isSameFile = device == other.device && number == other.number
    return isSameFile || path == other.path && isDeleted != other.isDeleted
  }
}

/// Finds out what processes execute.
///
/// Landlock denies this to a restricted process, which therefore asks a process that it started before.
package struct Executables: Hashable, Sendable {
  /// The descriptor of the other process's socket; nil to ask the kernel.
  package let inspector: Int32?

  /// - Parameter inspector: what ``startInspector()`` returned.
  package init(inspector: Int32? = nil) {
    self.inspector = inspector
  }

  /// Starts a process that finds out what others execute, and nothing else. It ends with this process.
  ///
  /// The calling thread must be the only one.
  /// - Returns: the descriptor to ask it, which closes on exec; nil if it cannot be started.
  package static func startInspector() -> Int32? {
    let descriptor = linux_inspector_start()
    return descriptor < 0 ? nil : descriptor
  }

  /// - Returns: nil if the kernel does not tell, as of a process that forbids tracing.
  func executable(of process: Int) -> Executable? {
    guard let number = Int32(exactly: process) else { return nil }
    return unsafe Executable { file, path in
      guard let inspector else { return unsafe linux_executable_of(number, file, path) }
      return unsafe linux_inspect(inspector, number, file, path)
    }
  }

  /// Whether another file was installed in the place of the one that this process executes, as by an upgrade.
  package static var ownWasReplaced: Bool {
    guard let own, own.isReplaced else { return false }
    return unsafe access(own.path, X_OK) == 0
  }

  /// The file that this process executes.
  static var own: Executable? { Executables().executable(of: Int(getpid())) }

  /// The path of the file that this process executes; after an upgrade, that of the new file.
  package static var ownPath: String? { own?.path }
}

/// The real path of a file that need not exist yet.
enum RealPath {
  private static let linkLimit = 40

  /// Resolves all symbolic links, `.` and `..`. What does not exist is kept as it is written.
  ///
  /// - Parameter path: absolute, or relative to the working directory.
  static func of(_ path: String) throws(SystemError) -> String {
    try resolve(path.hasPrefix("/") ? path : workingDirectory() + "/" + path, links: linkLimit)
  }

  private static func resolve(_ path: String, links: Int) throws(SystemError) -> String {
    if let resolved = SystemPath.resolved(path) { return resolved }
    let failure = SystemError("realpath")
    guard failure.number == ENOENT else { throw failure }
    let parts = path.split(separator: "/")
    guard let name = parts.last else { return "/" }
    let parent = "/" + parts.dropLast().joined(separator: "/")
    if name == "." { return try resolve(parent, links: links) }
    // Before `..` everything must be real, as links below it lead elsewhere.
    let directory = try resolve(parent, links: links)
    if name == ".." { return "/" + directory.split(separator: "/").dropLast().joined(separator: "/") }
    let place = (directory == "/" ? "" : directory) + "/" + name
    guard let target = SystemFile.target(of: place) else { return place }
    guard links > 0 else {
      errno = ELOOP
      throw SystemError("realpath")
    }
    return try resolve(target.hasPrefix("/") ? target : directory + "/" + target, links: links - 1)
  }

  private static func workingDirectory() throws(SystemError) -> String {
    guard let path = SystemPath.workingDirectory else { throw SystemError("getcwd") }
    return path
  }
}

/// Paths as the system has them.
package enum SystemPath {
  /// The working directory; nil if it does not exist any more.
  package static var workingDirectory: String? {
    guard let path = unsafe getcwd(nil, 0) else { return nil }
    defer { unsafe free(path) }
    return unsafe String(cString: path)
  }

  /// The absolute path without symbolic links; nil if there is none, which `errno` explains.
  package static func resolved(_ path: String) -> String? {
    guard let resolved = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(resolved) }
    return unsafe String(validatingCString: resolved)
  }
}
