import CLinux
import Glibc
import Service
import Wire

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
