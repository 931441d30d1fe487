import CLinux
import Glibc

/// The process at the other end of a socket, as the kernel knows it. Nothing that it says of itself is used.
package struct PeerProcess: Hashable, Sendable {
  package enum Failure: Error, Hashable, Sendable {
    case system(SystemError)
    /// It runs as another user.
    case otherUser(UInt32)
    /// It has ended, is hidden, or is in another pid namespace, such as that of a container.
    case unknown
  }

  /// The user that it runs as.
  package let user: UInt32
  /// The process that connected.
  package let process: ProcessFacts
  /// The program that the user knows: ``process``, or if that is a relay, the process that started it, such as Emacs.
  package let program: ProcessFacts

  /// The process for whose life an admission holds.
  package var owner: ProcessIdentity { program.identity }
  /// The terminal from which ``program`` was started; nil if there is none.
  package var terminal: TerminalSession? { program.terminal }

  /// The user that a socket's other end runs as.
  package static func user(of socket: Int32) throws(SystemError) -> UInt32 {
    var (process, user) = (Int32(0), UInt32(0))
    guard unsafe linux_peer(socket, &process, &user) == 0 else { throw SystemError("getsockopt") }
    return user
  }

  /// - Parameters:
  ///   - socket: a connected AF_UNIX socket.
  ///   - expected: the user that it must run as.
  ///   - speaksForStarter: whether the program is the one that started it, as with a relay.
  package init(
    of socket: Int32, expecting expected: UInt32 = geteuid(), _ executables: Executables = Executables(),
    speaksForStarter: Bool = false
  ) throws(Failure) {
    var (number, user) = (Int32(0), UInt32(0))
    guard unsafe linux_peer(socket, &number, &user) == 0 else { throw .system(SystemError("getsockopt")) }
    guard user == expected else { throw .otherUser(user) }
    guard number > 0 else { throw .unknown }
    var watch = linux_peer_descriptor(socket)
    if watch < 0 { watch = linux_process_descriptor(number) }
    guard watch >= 0 else { throw errno == ESRCH ? .unknown : .system(SystemError("pidfd_open")) }
    defer { close(watch) }
    guard let process = ProcessFacts(of: Int(number), executables) else { throw .unknown }
    let program = process.isRelay || speaksForStarter ? Self.starter(of: process, executables) : nil
    // Only now it is certain that all this was of the process that connected, and not of one with its id.
    guard Self.isAlive(watch) else { throw .unknown }
    (self.user, self.process, self.program) = (user, process, program ?? process)
  }

  /// The process that started a relay; nil if that has ended.
  ///
  /// A relay whose starter ends is given another parent, such as the user's systemd, which has not asked for anything. It
  /// is told by its control group: a child begins in the group of its parent.
  private static func starter(of relay: ProcessFacts, _ executables: Executables) -> ProcessFacts? {
    guard relay.parent > 1 else { return nil }
    let watch = linux_process_descriptor(Int32(truncatingIfNeeded: relay.parent))
    guard watch >= 0 else { return nil }
    defer { close(watch) }
    guard let starter = ProcessFacts(of: relay.parent, executables),
      starter.controlGroup == relay.controlGroup,
      starter.identity.startTime <= relay.identity.startTime,
      ProcessStatus(of: relay.identity.process)?.parent == relay.parent, isAlive(watch)
    else { return nil }
    return starter
  }

  private static func isAlive(_ watch: Int32) -> Bool {
    var query = pollfd(fd: watch, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&query, 1, 0) == 0
  }
}

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

/// The fields of `/proc/PID/stat` (proc_pid_stat(5)).
struct ProcessStatus {
  /// The name of its executable, cut off after 15 bytes. The process itself can change it.
  let commandName: String
  let parent: Int
  let session: Int
  /// The device number of the controlling terminal; 0 for none.
  let terminalNumber: Int
  /// In clock ticks since the boot.
  let startTime: Int
  /// Whether the process is about to end, or a zombie.
  let isEnding: Bool

  /// The ids of all processes that can be seen.
  static var allProcesses: [Int] {
    guard let directory = unsafe opendir("/proc") else { return [] }
    defer { unsafe closedir(directory) }
    var found: [Int] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { field in
        unsafe field.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(validatingCString: $0) }
      }
      if let process = name.flatMap({ Int($0) }) { found.append(process) }
    }
    return found
  }

  /// - Returns: nil if there is no such process, or it is hidden.
  init?(of process: Int) {
    guard process > 0, let text = SystemFile.read("/proc/\(process)/stat") else { return nil }
    self.init(text)
  }

  /// Reads the file's text. The name is in parentheses, and may contain some itself.
  init?(_ text: String) {
    guard let start = text.firstIndex(of: "("), let end = text.lastIndex(of: ")"), start < end else {
      return nil
    }
    let fields = text[end...].dropFirst().split(whereSeparator: \.isWhitespace)
    guard fields.count > 19, let parent = Int(fields[1]), let session = Int(fields[3]),
      let terminalNumber = Int(fields[4]), let flags = Int(fields[6]), let startTime = Int(fields[19])
    else { return nil }
    commandName = String(text[text.index(after: start)..<end])
    (self.parent, self.session) = (parent, session)
    (self.terminalNumber, self.startTime) = (terminalNumber, startTime)
    let isExiting = flags & 0x4 != 0  // PF_EXITING of linux/sched.h
    isEnding = isExiting || ["Z", "X", "x"].contains(fields[0])
  }
}

/// Small files that the kernel makes.
enum SystemFile {
  /// Reads up to 8 KiB; nil if the file cannot be read.
  static func read(_ path: String) -> String? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return read(descriptor)
  }

  /// Reads up to 8 KiB from the beginning of an open file; nil if it cannot be read.
  static func read(_ descriptor: Int32) -> String? {
    unsafe withUnsafeTemporaryAllocation(byteCount: 8 << 10, alignment: 1) { buffer in
      var count = 0
      while count < buffer.count {
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
        let read = unsafe pread(descriptor, rest.baseAddress, rest.count, off_t(count))
        guard read >= 0 else { return nil }
        if read == 0 { break }
        count += read
      }
      return unsafe String(decoding: buffer[..<count], as: UTF8.self)
    }
  }

  /// The target of a symbolic link; nil if it cannot be read.
  static func target(of path: String) -> String? {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
      guard let base = buffer.baseAddress else { return nil }
      let count = unsafe readlink(path, base, buffer.count)
      guard count > 0, count < buffer.count else { return nil }
      return unsafe String(decoding: UnsafeRawBufferPointer(buffer)[..<count], as: UTF8.self)
    }
  }
}
