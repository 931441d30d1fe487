import Glibc
import VaultModel

/// A directory of mode 0700, in memory if possible, for a file that another program needs for a while.
struct PrivateDirectory {
  let path: String
  /// Its end has the directory removed, even if this process is killed.
  private let cleanupInput: Int32?

  init() throws(Failure) {
    let places = [
      Environment.nonEmptyValue("XDG_RUNTIME_DIR"), "/dev/shm", Environment.nonEmptyValue("TMPDIR"),
    ].compactMap(
      \.self)
    let base = places.first { unsafe access($0, W_OK) == 0 } ?? "/tmp"
    try self.init(in: base, "quickvault-view")
  }

  /// Makes one in a directory of choice.
  init(in base: String, _ name: String = ".quickvault-merge") throws(Failure) {
    guard let made = unsafe strdup("\(base == "/" ? "" : base)/\(name).XXXXXX"), unsafe mkdtemp(made) != nil
    else {
      let reason = unsafe String(cString: strerror(errno))
      throw .exit(.failure, Localized(verbatim: "\(base): \(reason)"))
    }
    defer { unsafe free(made) }
    let path = unsafe String(cString: made)
    self.path = path
    cleanupInput = Self.startCleanupProcess(path)
  }

  /// Starts a process that removes the directory when this one ends.
  private static func startCleanupProcess(_ path: String) -> Int32? {
    guard let (source, end) = ChildProcess.pipe() else { return nil }
    let nowhere = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { for descriptor in [source, nowhere] { close(descriptor) } }
    _ = ChildProcess.start(
      "/bin/sh", ["sh", "-c", "read -r line; exec rm -rf -- \"$1\"", "sh", path],
      .init(input: source, output: nowhere, errors: nowhere), isDetached: true)
    return end
  }

  /// Removes the directory with its files.
  func remove() {
    guard let stream = unsafe opendir(path) else { return }
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe String(cString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self))
      }
      if name != ".", name != ".." { unsafe unlink("\(path)/\(name)") }
    }
    unsafe closedir(stream)
    unsafe rmdir(path)
    if let cleanupInput { close(cleanupInput) }
  }

  /// Writes a file in it that only the user can read.
  func write(_ name: String, _ content: String) throws(Failure) {
    let file = unsafe open("\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else {
      let reason = unsafe String(cString: strerror(errno))
      throw .exit(.failure, Localized(verbatim: "\(path)/\(name): \(reason)"))
    }
    defer { close(file) }
    try Descriptor.write(Array(content.utf8), to: file)
  }

  /// The content of a file in it.
  func read(_ name: String) throws(Failure) -> [UInt8] {
    let file = unsafe open("\(path)/\(name)", O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else {
      let reason = unsafe String(cString: strerror(errno))
      throw .exit(.failure, Localized(verbatim: "\(path)/\(name): \(reason)"))
    }
    defer { close(file) }
    return try Descriptor.read(file)
  }
}
