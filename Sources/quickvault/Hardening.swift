import CForget
import CLinux
import Glibc
import Service
import Wire

/// Protects the process's memory, as far as the system allows it.
enum Hardening {
  /// Disables core files and tracing by other processes, locks memory so that it is never written to swap, and zeroes memory
  /// when it is freed.
  ///
  /// - Returns: what failed.
  static func apply() -> [SystemError] {
    zero_freed_memory()
    var failures: [SystemError] = []
    if linux_forbid_dumping() != 0 { failures.append(SystemError("prctl PR_SET_DUMPABLE")) }
    if linux_forbid_core_files() != 0 { failures.append(SystemError("setrlimit RLIMIT_CORE")) }
    if linux_lock_memory() != 0 { failures.append(SystemError("mlockall")) }
    return failures
  }
}
