import Glibc

/// File operations by path.
enum Files {
  static func exists(_ path: String) -> Bool {
    unsafe access(path, F_OK) == 0
  }

  /// The size of a file in bytes; 0 if there is none.
  static func size(_ path: String) -> Int {
    var information = stat()
    return unsafe stat(path, &information) == 0 ? information.st_size : 0
  }

  /// The size of all files whose paths match a pattern of glob(3), in bytes.
  static func size(matching pattern: String) -> Int {
    var found = unsafe glob_t()
    defer { unsafe globfree(&found) }
    guard unsafe glob(pattern, GLOB_NOSORT, nil, &found) == 0 else { return 0 }
    return unsafe UnsafeBufferPointer(start: found.gl_pathv, count: Int(found.gl_pathc)).reduce(0) {
      unsafe $0 + ($1.map { unsafe size(String(cString: $0)) } ?? 0)
    }
  }

  /// The text of a file; invalid UTF-8 is replaced.
  static func read(_ path: String) throws -> String {
    String(decoding: try bytes(path), as: UTF8.self)
  }

  /// The bytes of a file.
  static func bytes(_ path: String) throws -> [UInt8] {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw BenchmarkError.system(call: "open \(path)", number: errno) }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes { unsafe Glibc.read(file, $0.baseAddress, $0.count) }
      guard count >= 0 else { throw BenchmarkError.system(call: "read \(path)", number: errno) }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
  }

  /// Writes or replaces a file with mode 0600.
  static func write(_ text: String, to path: String) throws {
    try write(Array(text.utf8), to: path)
  }

  /// Writes or replaces a file with mode 0600.
  static func write(_ bytes: [UInt8], to path: String) throws {
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw BenchmarkError.system(call: "open \(path)", number: errno) }
    defer { close(file) }
    var position = 0
    while position < bytes.count {
      let written = unsafe bytes.withUnsafeBytes {
        unsafe Glibc.write(file, $0.baseAddress?.advanced(by: position), bytes.count - position)
      }
      guard written > 0 else { throw BenchmarkError.system(call: "write \(path)", number: errno) }
      position += written
    }
  }

  /// Makes a new directory with mode 0700.
  static func makeDirectory(_ path: String) throws {
    guard unsafe mkdir(path, 0o700) == 0 else {
      throw BenchmarkError.system(call: "mkdir \(path)", number: errno)
    }
  }

  /// Removes a file or a directory tree if it exists.
  static func remove(_ path: String) throws {
    try perform("rm", ["-rf", "--", path])
  }

  static func copy(_ path: String, to other: String) throws {
    try perform("cp", ["--", path, other])
  }

  static func move(_ path: String, to other: String) throws {
    guard unsafe rename(path, other) == 0 else {
      throw BenchmarkError.system(call: "rename \(path)", number: errno)
    }
  }

  private static func perform(_ program: String, _ arguments: [String]) throws {
    guard try Peer(program, arguments).end() == 0 else { throw BenchmarkError.wrong("\(program) failed") }
  }
}
