import CLinux
import Glibc
import Service
import Wire

/// Replaces the process by a new one at lock, so that nothing it knew is left in memory.
///
/// The new process finds the state of the conversation in an anonymous memory file, whose descriptor number is in the
/// environment. Process id and pipes stay.
enum Reexec {
  private static let variable = "QUICKVAULT_HANDOFF"

  /// The state that the replaced process left; nil if this process did not replace one.
  static func inherited() -> HandoffState? {
    guard let text = ProcessEnvironment[variable] else { return nil }
    unsafe unsetenv(variable)
    guard let descriptor = Int32(text), descriptor > 2, fcntl(descriptor, F_GETFD) >= 0 else { return nil }
    defer { close(descriptor) }
    var information = stat()
    guard unsafe fstat(descriptor, &information) == 0, information.st_nlink == 0 else { return nil }
    guard let state = readAll(descriptor).flatMap(HandoffState.init(decoding:)) else { return nil }
    for descriptor in state.descriptors { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    return state
  }

  /// Replaces the process by a new one of the same program with the same arguments.
  ///
  /// - Parameter descriptors: those of a conversation on standard input and output; nil for a service.
  /// - Returns: why it failed; on success it does not return.
  static func replaceProcess(with handoffState: HandoffState, _ descriptors: Descriptors?) -> SystemError {
    do {
      if let descriptors {
        try descriptors.makeRoom()
        try descriptors.restore()
      } else {
        try Descriptors.requireEnough(4, waiting: true)
      }
    } catch {
      return error
    }
    let file = unsafe linux_memory_file("quickvault-handoff")
    guard file >= 0, writeAll(handoffState.encoded, to: file), lseek(file, 0, SEEK_SET) == 0 else {
      return SystemError("memfd_create")
    }
    for descriptor in handoffState.descriptors where fcntl(descriptor, F_SETFD, 0) != 0 {
      return SystemError("fcntl")
    }
    unsafe setenv(variable, String(file), 1)
    unsafe execv("/proc/self/exe", CommandLine.unsafeArgv)
    return SystemError("execv")
  }

  private static func readAll(_ descriptor: Int32) -> [UInt8]? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
      guard count >= 0 else { return nil }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
  }

  private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
      guard written > 0 else { return false }
      rest = rest.dropFirst(written)
    }
    return true
  }
}
