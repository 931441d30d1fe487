import Glibc

/// A copy of somebody's vault file, with its log, under a hidden name: it can be opened, its log replayed and its form
/// brought up to date, and the original is only read. It is gone with the object.
public final class PrivateCopy {
  private let lock: FileLock
  private let file: UnfinishedFile

  /// Copies a file that no connection of this process has open.
  ///
  /// - Parameter directory: where the copy is to lie.
  /// - Throws: `StoreError.notFound`, `.notARegularFile`, `.notAVault`, `.newerVersion`, `.permissionDenied`, `.diskFull`,
  ///   `.readOnly`, `.busy`, `.inputOutput`.
  public init(of path: String, in directory: String) throws {
    guard try FileStatus(path: path).isRegularFile else { throw StoreError.notARegularFile }
    lock = try FileLock(directory: directory, milliseconds: 5_000)
    if lock.isHeld { UnfinishedFile.removeLeftovers(in: directory) }
    file = try UnfinishedFile(in: directory)
    try Self.copy(path, to: file.path)
    if (try? FileStatus(path: path + "-wal").size) ?? 0 > 0 {
      try Self.copy(path + "-wal", to: file.path + "-wal")
    }
  }

  /// Opens the copy.
  ///
  /// - Throws: as ``VaultFile/open(at:)``.
  public func open() throws -> VaultFile {
    try VaultFile.open(at: file.path)
  }

  private static func copy(_ source: String, to path: String) throws {
    let descriptor = unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw StoreError(systemError: errno) }
    defer { close(descriptor) }
    try FileBytes(source).write(to: descriptor)
  }
}
