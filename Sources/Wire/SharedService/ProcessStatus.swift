import Glibc

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
