import Glibc

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
