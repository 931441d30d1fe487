import CLinux
import Glibc
import VaultInterface

/// A directory of mode 0700 for a file that another program needs for a while.
struct PrivateDirectory {
  let path: String
  /// Its end has the directory removed, even if this process is killed.
  private let cleanupInput: Int32?

  /// Makes one in memory. Where no file system is, asks whether to use the disk.
  ///
  /// - Throws: ``ExitStatus/file`` if there is nobody to ask.
  init(_ invocation: Invocation) throws(Failure) {
    let places = [
      Environment.nonEmptyValue("XDG_RUNTIME_DIR"), "/dev/shm", Environment.nonEmptyValue("TMPDIR"),
    ]
    .compactMap(\.self).filter { unsafe access($0, W_OK) == 0 }
    let memory = places.first { unsafe linux_is_in_memory($0) != 0 }
    let base = memory ?? places.first { $0 != "/dev/shm" } ?? "/tmp"
    if memory == nil {
      guard Terminal.isInteractive else {
        throw .exit(
          .file,
          Localized(
            "no file system here is in memory, so a temporary file would be on disk, unencrypted: mount a tmpfs at /dev/shm",
            "没有内存文件系统，临时文件会以未加密的形式写入磁盘：请在 /dev/shm 挂载 tmpfs"))
      }
      let question = invocation.text(
        "No file system here is in memory. Write a temporary file to \(base.printable), unencrypted? [y/N]",
        "没有内存文件系统。要把未加密的临时文件写入 \(base.printable) 吗？[y/N]")
      guard try invocation.terminal.confirm(question) else { throw .declined }
    }
    try self.init(in: base, "quickvault-view")
  }

  /// Makes one in a directory of choice.
  init(in base: String, _ name: String = ".quickvault-merge") throws(Failure) {
    guard let made = unsafe strdup("\(base == "/" ? "" : base)/\(name).XXXXXX"), unsafe mkdtemp(made) != nil
    else {
      throw .file(base)
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
      throw .file("\(path)/\(name)")
    }
    defer { close(file) }
    try Descriptor.write(Array(content.utf8), to: file)
  }

  /// The content of a file in it.
  func read(_ name: String) throws(Failure) -> [UInt8] {
    let file = unsafe open("\(path)/\(name)", O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else {
      throw .file("\(path)/\(name)")
    }
    defer { close(file) }
    return try Descriptor.read(file)
  }
}
