import Glibc

/// A process of this boot. Ids are used again; together with the start time they are not.
package struct ProcessIdentity: JSONObject, Hashable {
  /// The process id.
  package let process: Int
  /// When it started, in clock ticks since the boot (proc_pid_stat(5)).
  package let startTime: Int

  package init(process: Int, startTime: Int) {
    (self.process, self.startTime) = (process, startTime)
  }

  package static let coder = ObjectCoder(
    Self.init(process:startTime:), .required("process", \.process), .required("startTime", \.startTime))

  /// Whether the process runs.
  package var isAlive: Bool {
    guard let status = ProcessStatus(of: process) else { return false }
    return status.startTime == startTime && !status.isEnding
  }
}

/// The session of a terminal. It ends with its leader, which is the shell, as a rule.
package struct TerminalSession: JSONObject, Hashable {
  /// The process that leads the session; its id is the session's id.
  package let leader: ProcessIdentity
  /// The terminal's device file, such as `/dev/pts/3`, or its number, such as `4:1`, if it has none that is known.
  package let name: String

  package init(leader: ProcessIdentity, name: String) {
    (self.leader, self.name) = (leader, name)
  }

  package static let coder = ObjectCoder(
    Self.init(leader:name:), .required("leader", \.leader), .required("name", \.name))
}
