import Glibc

/// A process with pipes for standard input and output.
final class Peer {
  let program: String
  let process: pid_t
  private let input: Int32
  private let output: Int32
  private var hasEnded = false

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: a path, or a name to look up in PATH.
  ///   - environment: variables in addition to those of this process.
  ///   - showsErrors: whether it writes to this process's standard error; otherwise errors are discarded.
  init(
    _ program: String, _ arguments: [String] = [], environment: [String: String] = [:],
    showsErrors: Bool = true
  ) throws {
    let toProgram = try Pipe()
    let fromProgram = try Pipe()
    self.program = program
    input = toProgram.writing
    output = fromProgram.reading
    defer {
      close(toProgram.reading)
      close(fromProgram.writing)
    }
    process = try unsafe Spawn.start(program, arguments, environment) { actions in
      unsafe posix_spawn_file_actions_adddup2(actions, toProgram.reading, 0)
      unsafe posix_spawn_file_actions_adddup2(actions, fromProgram.writing, 1)
      if !showsErrors { unsafe posix_spawn_file_actions_addopen(actions, 2, "/dev/null", O_WRONLY, 0) }
    }
  }

  deinit {
    _ = try? end()
  }

  /// Writes all of the bytes.
  func write(_ bytes: [UInt8]) throws {
    var position = 0
    while position < bytes.count {
      let written = unsafe bytes.withUnsafeBytes {
        unsafe Glibc.write(input, $0.baseAddress?.advanced(by: position), bytes.count - position)
      }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { throw BenchmarkError.ended(program: program) }
      position += written
    }
  }

  /// Reads available input into the buffer; waits for at least one byte.
  ///
  /// - Returns: the number of bytes; 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    while true {
      let count = unsafe Glibc.read(output, buffer.baseAddress, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw BenchmarkError.system(call: "read", number: errno) }
      return count
    }
  }

  /// Whether something can be read without waiting.
  var hasOutput: Bool {
    var query = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&query, 1, 0) > 0
  }

  /// Closes the input, reads the remaining output, and waits for the end.
  ///
  /// - Returns: the exit status, or 128 plus the number of the signal.
  @discardableResult func end() throws -> Int32 {
    guard !hasEnded else { return 0 }
    hasEnded = true
    close(input)
    var rest = [UInt8](repeating: 0, count: 64 << 10)
    while try unsafe rest.withUnsafeMutableBytes({ try unsafe read(into: $0) }) > 0 {}
    close(output)
    return try Spawn.wait(for: process)
  }

  // MARK: Starting

  private struct Pipe {
    let reading: Int32
    let writing: Int32

    init() throws {
      var ends: [Int32] = [0, 0]
      guard unsafe pipe(&ends) == 0 else { throw BenchmarkError.system(call: "pipe", number: errno) }
      (reading, writing) = (ends[0], ends[1])
      // Nothing here starts programs on two threads, so none can slip in before.
      for end in ends where fcntl(end, F_SETFD, FD_CLOEXEC) < 0 {
        throw BenchmarkError.system(call: "fcntl", number: errno)
      }
    }
  }
}
