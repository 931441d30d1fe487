import CLinux
import Glibc

/// What the process gives up for good: files except the folder, its own state and what libraries read; programs; and system
/// calls that no library here uses. A kernel without Landlock or seccomp leaves it as it is.
enum Confinement {
  /// What name resolution and TLS read.
  private static let system = [
    "/etc", "/usr", "/lib", "/lib64", "/run/systemd/resolve", "/dev/urandom", "/dev/null",
  ]

  static func enter(folder: String, state: String, authorities: String?) {
    unsafe withWords(system + [authorities].compactMap { $0 }) { reading in
      unsafe withWords([folder, state]) { writing in
        _ = unsafe linux_restrict_to_files(reading, writing)
      }
    }
    _ = linux_restrict_calls_but_sockets()
  }

  /// Forbids core files and debuggers.
  static func protectMemory() {
    _ = linux_forbid_dumping()
    _ = linux_forbid_core_files()
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
