import Glibc

/// The path of a vault, made absolute, so that it means the same file for as long as the vault is open.
struct FilePath {
  /// SQLite's own limit is 512 bytes, with `-journal` at the end.
  static let maximumBytes = 480

  let absolute: String

  /// A relative path is resolved against the working directory. `~` is an ordinary character here.
  ///
  /// Throws `StoreError.invalidPath` for a path that is empty, holds a NUL, ends with a slash, or is too
  /// long.
  init(_ path: String) throws {
    guard !path.isEmpty, !path.hasSuffix("/"), !path.utf8.contains(0) else { throw StoreError(.invalidPath) }
    absolute = path.hasPrefix("/") ? path : try Self.workingDirectory() + "/" + path
    guard absolute.utf8.count <= Self.maximumBytes else { throw StoreError(.invalidPath) }
  }

  var directory: String { Self.directory(of: absolute) }

  /// The directory part of an absolute path.
  static func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
    return String(path[..<slash])
  }

  /// The path of a name in a directory, which may be `/`.
  static func path(of name: String, in directory: String) -> String {
    (directory == "/" ? "" : directory) + "/" + name
  }

  private static func workingDirectory() throws -> String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let text = unsafe buffer.withUnsafeMutableBufferPointer { bytes -> String? in
      guard let start = unsafe getcwd(bytes.baseAddress, bytes.count) else { return nil }
      return unsafe String(validatingCString: start)
    }
    guard let text else { throw StoreError(.missingDirectory) }
    return text
  }
}

/// The access of other users to a vault's file and its companions.
enum FileAccess {
  /// `O_PATH` (open(2)), which Glibc's module leaves out.
  private static let pathOnly: Int32 = 0o10_000_000

  /// Throws `StoreError.writableByOthers` if other users can rename, remove or add files beside a vault.
  ///
  /// A directory with the sticky bit, such as `/tmp`, is allowed if the vault and its companions belong to this
  /// user. A group with the number of the user counts as the user's own, as most systems set it up.
  ///
  /// - Parameter path: with symbolic links resolved; the file need not exist.
  static func requireOwnDirectory(ofFileAt path: String) throws {
    let directory = try FileStatus(path: FilePath.directory(of: path))
    let user = geteuid()
    let isOwn = directory.owner == user || directory.owner == 0
    let isClosed = directory.mode & 0o002 == 0 && (directory.mode & 0o020 == 0 || directory.group == user)
    if isOwn && isClosed { return }
    guard isOwn, directory.mode & UInt32(S_ISVTX) != 0 else { throw StoreError(.writableByOthers) }
    for name in [path] + UnfinishedFile.companions.map({ path + $0 }) {
      let owner = try? FileStatus(path: name, followsLinks: false).owner
      guard owner == nil || owner == user else { throw StoreError(.writableByOthers) }
    }
  }

  /// Removes the permissions of others from a vault's file, its log and its shared memory, if they are regular files of
  /// this user with one name. Links are not followed.
  ///
  /// The files are opened with `O_PATH`, since closing another descriptor would end the locks that this process has on them.
  static func denyAccessToOthers(_ path: String) {
    for name in [path] + UnfinishedFile.companions.map({ path + $0 }) {
      let descriptor = unsafe open(name, pathOnly | O_NOFOLLOW | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      guard let status = FileStatus(descriptor: descriptor), status.isRegularFile, status.isOpenToOthers,
        status.owner == geteuid(), status.linkCount == 1
      else { continue }
      // fchmod(2) refuses such a descriptor.
      unsafe chmod("/proc/self/fd/\(descriptor)", 0o600)
    }
  }
}

/// The bytes of a file, read in pieces of one mebibyte.
final class FileBytes {
  private let descriptor: Int32

  init(_ path: String) throws {
    descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw StoreError(systemError: errno) }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// The first bytes; nil if there are fewer.
  func prefix(_ count: Int) throws -> [UInt8]? {
    let bytes = try piece(at: 0, most: count)
    return bytes.count == count ? bytes : nil
  }

  /// Appends all of them to the file of a descriptor.
  ///
  /// - Parameter report: receives the number of bytes written after each piece. If it throws, writing ends.
  func write(to target: Int32, _ report: (Int64) throws -> Void = { _ in }) throws {
    var offset = 0
    while true {
      let piece = try piece(at: offset)
      guard !piece.isEmpty else { return }
      var position = 0
      while position < piece.count {
        let count = unsafe piece.withUnsafeBytes { bytes in
          let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[position...])
          return unsafe Glibc.write(target, rest.baseAddress, rest.count)
        }
        guard count >= 0 || errno == EINTR else { throw StoreError(systemError: errno) }
        position += max(count, 0)
      }
      offset += piece.count
      try report(Int64(offset))
    }
  }

  /// Whether another file has the same bytes from an offset on.
  ///
  /// - Throws: also `CancellationError` if the task is cancelled.
  func equals(_ other: FileBytes, from start: Int = 0) throws -> Bool {
    var offset = start
    while true {
      try Task.checkCancellation()
      let (mine, theirs) = (try piece(at: offset), try other.piece(at: offset))
      guard mine == theirs else { return false }
      guard !mine.isEmpty else { return true }
      offset += mine.count
    }
  }

  /// Reads up to `count` bytes from an offset; fewer at the end.
  func bytes(_ count: Int, at offset: Int) throws -> [UInt8] {
    try piece(at: offset, most: count)
  }

  private func piece(at offset: Int, most: Int = 1 << 20) throws -> [UInt8] {
    try unsafe [UInt8](unsafeUninitializedCapacity: most) { buffer, filled in
      filled = 0
      while filled < most {
        let target = unsafe buffer.baseAddress.map { unsafe $0 + filled }
        let got = unsafe pread(descriptor, target, most - filled, off_t(offset + filled))
        if got < 0 && errno == EINTR { continue }
        guard got >= 0 else { throw StoreError(systemError: errno) }
        guard got > 0 else { return }
        filled += got
      }
    }
  }
}
