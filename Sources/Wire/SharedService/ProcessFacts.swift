import CLinux
import Glibc

/// The kernel's data about a running process. The process controls only ``commandName``.
package struct ProcessFacts: Hashable, Sendable {
  package let identity: ProcessIdentity
  /// The name by which it is listed: at most 15 bytes, and the process itself can change it.
  package let commandName: String
  /// The session of its controlling terminal; nil if it has none.
  package let terminal: TerminalSession?

  /// The processes that started it, the nearest first, and at most 16. The list ends at a process that cannot be seen.
  package let ancestors: [ProcessIdentity]

  let parent: Int
  let controlGroup: String?
  private let program: Executable?

  /// The path of its executable; nil if the kernel hides it, as for a process that forbids tracing.
  package var executable: String? { program?.path }

  /// The name of the program as a user knows it: the last component of the executable's path, or else the command name.
  package var name: String {
    executable?.split(separator: "/").last.map(String.init) ?? commandName
  }

  /// Whether it runs the same program as this process.
  ///
  /// Where the kernel does not tell the executable, the command name decides. A process that pretends to be a relay gains
  /// nothing: it could as well start one.
  var isRelay: Bool {
    if let program, let own = Executables.own { return program.isSameProgram(as: own) }
    return commandName == ProcessStatus(of: Int(getpid()))?.commandName
  }

  /// Reads the facts. The process must be known to be alive afterwards, or they may be another's.
  ///
  /// - Returns: nil if there is no such process, or it is hidden.
  init?(of process: Int, _ executables: Executables = Executables()) {
    guard let status = ProcessStatus(of: process) else { return nil }
    identity = ProcessIdentity(process: process, startTime: status.startTime)
    commandName = status.commandName
    parent = status.parent
    ancestors = Self.ancestors(of: status)
    terminal = TerminalSession(of: status)
    controlGroup = SystemFile.read("/proc/\(process)/cgroup")
    program = executables.executable(of: process)
  }

  private static func ancestors(of process: ProcessStatus) -> [ProcessIdentity] {
    var (found, child): ([ProcessIdentity], ProcessStatus) = ([], process)
    while found.count < 16, let parent = ProcessStatus(of: child.parent), parent.startTime <= child.startTime
    {
      found.append(ProcessIdentity(process: child.parent, startTime: parent.startTime))
      child = parent
    }
    return found
  }
}

extension TerminalSession {
  /// Whether no other terminal can have the name. The kernel numbers those of each file system of pseudo terminals anew, and a
  /// program can have one of its own: a terminal there is told by another session in a terminal of this number, or by having no
  /// file of this user.
  ///
  /// This reads the status of every process.
  package var hasCertainName: Bool {
    guard name.hasPrefix("/dev/pts/") else { return true }
    var (file, directory) = (stat(), stat())
    guard unsafe lstat(name, &file) == 0, unsafe stat("/dev/pts", &directory) == 0,
      file.st_mode & S_IFMT == S_IFCHR, file.st_dev == directory.st_dev, file.st_uid == geteuid(),
      Self.name(of: UInt32(truncatingIfNeeded: file.st_rdev)) == name
    else { return false }
    return ProcessStatus.allProcesses.allSatisfy { process in
      guard process != leader.process, let status = ProcessStatus(of: process) else { return true }
      return status.session != process || status.terminalNumber == 0
        || Self.name(of: UInt32(truncatingIfNeeded: status.terminalNumber)) != name
    }
  }

  /// The session of a process's controlling terminal; nil if it has none, or the leader cannot be seen.
  fileprivate init?(of status: ProcessStatus) {
    guard status.terminalNumber != 0, let leader = ProcessStatus(of: status.session),
      leader.session == status.session
    else { return nil }
    self.init(
      leader: ProcessIdentity(process: status.session, startTime: leader.startTime),
      name: Self.name(of: UInt32(truncatingIfNeeded: status.terminalNumber)))
  }

  private static func name(of device: UInt32) -> String {
    let major = device >> 8 & 0xFFF
    let minor = device & 0xFF | device >> 12 & 0xFFF00
    // Pseudo terminals have the major numbers 136 to 143 (Documentation/admin-guide/devices.txt of Linux).
    if 136...143 ~= major { return "/dev/pts/\((major - 136) << 20 | minor)" }
    let description = SystemFile.read("/sys/dev/char/\(major):\(minor)/uevent") ?? ""
    let prefix = "DEVNAME="
    let name = description.split(separator: "\n").first { $0.hasPrefix(prefix) }
    return name.map { "/dev/" + $0.dropFirst(prefix.count) } ?? "\(major):\(minor)"
  }
}

/// Converts texts to the arrays that execve(2) takes as arguments and environment.
package enum ArgumentVector {
  package typealias Pointers = [UnsafeMutablePointer<CChar>?]

  /// Calls `body` with a pointer to each text, terminated by zero, and a null pointer at the end.
  package static func with<Result>(_ texts: [String], _ body: (Pointers) -> Result) -> Result {
    let words = unsafe texts.map { unsafe strdup($0) } + [nil]
    defer { unsafe words.forEach { unsafe free($0) } }
    return unsafe body(words)
  }

  /// Calls `body` with the arguments and the environment of a program.
  package static func with<Result>(
    _ arguments: [String], environment: [String],
    _ body: (_ arguments: Pointers, _ environment: Pointers) -> Result
  ) -> Result {
    unsafe with(arguments) { arguments in
      unsafe with(environment) { environment in unsafe body(arguments, environment) }
    }
  }
}

/// The variables of this process's environment.
package enum ProcessEnvironment {
  /// The value of a variable; nil if it is not set.
  package static subscript(name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }

  /// Each as `NAME=VALUE`.
  package static var entries: [String] {
    var entries: [String] = []
    var position = unsafe environ
    while let entry = unsafe position.pointee {
      entries.append(unsafe String(cString: entry))
      unsafe position += 1
    }
    return entries
  }
}

/// A descriptor for writing, and how much can be written to it at once.
struct OutputDescriptor: Sendable {
  let descriptor: Int32
  /// The number of bytes that can be written without waiting when it is ready.
  private let portion: Int
  /// How much it takes without waiting if it is an empty pipe, in bytes; nil for all else.
  private let pipeSize: Int?

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    let size = Int(linux_pipe_size(descriptor))
    pipeSize = size > 0 ? min(size, Relay.bufferSize) : nil
    // A socket is ready for writing when a quarter of its buffer is used at most.
    let socketBuffer = Int(linux_send_buffer_size(descriptor))
    portion = min(max(socketBuffer / 4, Int(PIPE_BUF)), Relay.bufferSize)
  }

  /// Waits until it can be written to, or nobody can read it any more.
  func waitUntilReady() {
    var query = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    while unsafe poll(&query, 1, -1) < 0, errno == EINTR {}
  }

  /// How many bytes it takes without waiting, once it is ready.
  var room: Int {
    guard let pipeSize, linux_unread(descriptor) == 0 else { return portion }
    return pipeSize
  }
}
