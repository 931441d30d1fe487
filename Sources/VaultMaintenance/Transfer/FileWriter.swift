public import VaultSession

/// A file outside of the vault that is written piece by piece, and is there under its name only when all of it is.
///
/// If it is released before ``finish()``, nothing remains of it. It is used by one thread at a time, but for what is still under
/// way after a cancellation.
public final class FileWriter: @unchecked Sendable {
  /// The number of bytes buffered before a write.
  private static let portion = 1 << 18

  /// The number of bytes so far.
  public private(set) var size = 0
  /// The path, with `~` expanded.
  public var path: String { place.path }

  private let file: NewFile
  private let place: UserPath
  private let overwrites: Bool
  private var gathered: [UInt8] = []

  init(_ place: UserPath, overwrites: Bool) throws(FileError) {
    self.place = place
    self.overwrites = overwrites
    file = try NewFile(in: place.directory)
  }

  /// Appends bytes.
  ///
  /// - Throws: ``FileError``.
  public func write(_ bytes: [UInt8]) throws(FileError) {
    size += bytes.count
    gathered += bytes
    if gathered.count >= Self.portion { try flush() }
  }

  private func flush() throws(FileError) {
    guard let bytes = PrivateBytes(capacity: gathered.count) else { throw .notWritable(.outOfMemory) }
    unsafe bytes.append(gathered.span.bytes)
    gathered.removeAll(keepingCapacity: true)
    try file.write(bytes)
  }

  /// Makes the file durable and gives it its name, on other threads.
  ///
  /// Where the task is cancelled before it has its name, nothing of it is left behind; from then on a cancellation comes too late.
  ///
  /// - Throws: ``FileError``, `CancellationError`; nothing is left behind then.
  public func finish() async throws {
    do {
      try await runInBackground { try self.synchronize() }
    } catch {
      file.forsake()
      throw error
    }
    try await runInBackground(whenCancelled: .wait) {
      try UserFile.check(self.place, overwrites: self.overwrites)
      try self.file.name(self.place.path, overwrites: self.overwrites)
      UserFile.synchronize(self.place.directory)
    }
  }

  private func synchronize() throws(FileError) {
    try flush()
    gathered = []
    try file.synchronize()
  }
}
