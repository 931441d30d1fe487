import CLinux
import Glibc

/// Restricts the process, or a thread, irrevocably: to the files of a folder, the carrier's state and what libraries
/// read; no programs; only the system calls that the libraries use. Without Landlock or seccomp it has no effect.
enum Sandbox {
  /// What name resolution and TLS read.
  private static let system = [
    "/etc", "/usr", "/lib", "/lib64", "/run/systemd/resolve", "/dev/urandom", "/dev/null",
  ]

  /// Restricts the files of the calling thread and of those that it starts.
  static func restrictFiles(writing: [String], authorities: String?) {
    restrictFiles(reading: system + [authorities].compactMap { $0 }, writing: writing)
  }

  /// Forbids the calling thread, and those that it starts, to run programs.
  static func restrictPrograms() {
    restrictFiles(reading: [], writing: ["/"])
  }

  /// Restricts the system calls of the process.
  static func restrictCalls() {
    _ = linux_restrict_calls_but_sockets()
  }

  /// Forbids core files and debuggers.
  static func protectMemory() {
    _ = linux_forbid_dumping()
    _ = linux_forbid_core_files()
  }

  private static func restrictFiles(reading: [String], writing: [String]) {
    unsafe withWords(reading) { reading in
      unsafe withWords(writing) { writing in
        _ = unsafe linux_restrict_to_files(reading, writing)
      }
    }
  }

  private static func withWords(
    _ words: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Void
  ) {
    var copies: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) }
    unsafe copies.append(nil)
    unsafe copies.withUnsafeBufferPointer { pointers in
      if let base = pointers.baseAddress { unsafe body(base) }
    }
    for index in unsafe copies.indices { unsafe free(copies[index]) }
  }
}
