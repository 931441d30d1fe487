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

/// Restrictions of the process, and of the programs that it starts, by Landlock and seccomp.
enum Sandbox {
  /// Gives up, for good, what no request needs: the network, programs except the helpers, and other processes.
  ///
  /// Call it once, on the only thread. A process that replaced itself is restricted already, and the kernel allows
  /// only 16 layers.
  ///
  /// - Parameter programs: the directories and files that may be executed.
  /// - Returns: what the kernel does not support.
  static func enter(allowing programs: [String]) -> [SystemError] {
    var failures: [SystemError] = []
    if unsafe ArgumentVector.with(programs, { unsafe linux_restrict_files($0) }) != 0 {
      failures.append(SystemError("landlock"))
    }
    if linux_restrict_calls() != 0 { failures.append(SystemError("seccomp")) }
    return failures
  }
}

/// The threads of the process.
enum Threads {
  /// How many must be available. Without one, Swift's runtime library waits for it for ever, on the thread that serves the clients.
  static let needed: Int32 = 4

  /// Checks that threads can be started, by starting some.
  ///
  /// - Parameter waits: whether to wait for them, up to 30 seconds: a short lack does not end a conversation.
  static func requireEnough(waiting waits: Bool) throws(SystemError) {
    for attempt in 1...(waits ? 600 : 1) {
      let failure = linux_try_threads(needed)
      if failure == 0 { return }
      guard waits, attempt < 600 else {
        errno = failure
        throw SystemError("pthread_create")
      }
      _ = poll(nil, 0, 50)
    }
  }
}
