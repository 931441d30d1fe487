import EventLoop
import CForget
import CLinux
import Glibc
import VaultServer

/// What keeps the process's memory to itself, as far as the system allows it.
enum Hardening {
  /// Forbids core files and other processes' looks into memory, locks memory so that it is never written to swap, and has
  /// it zeroed wherever it is freed.
  ///
  /// - Returns: what could not be had.
  static func apply() -> [SystemError] {
    forget_freed_memory()
    var failures: [SystemError] = []
    if linux_forbid_dumping() != 0 { failures.append(SystemError("prctl PR_SET_DUMPABLE")) }
    if linux_forbid_core_files() != 0 { failures.append(SystemError("setrlimit RLIMIT_CORE")) }
    if linux_lock_memory() != 0 { failures.append(SystemError("mlockall")) }
    return failures
  }
}
