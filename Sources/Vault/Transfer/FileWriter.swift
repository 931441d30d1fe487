/// A file outside of the vault that is written in pieces, and gets its name when it is complete.
///
/// If it is released before ``finish()``, nothing remains of it. One thread uses it at a time, except for a write that is
/// still running after a cancellation.
public final class FileWriter: @unchecked Sendable {
  /// The number of bytes buffered before a write.
  private static let portion = 1 << 18

  /// The number of bytes written.
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
  /// If the task is cancelled before the file has its name, nothing is left behind; later the cancellation has no effect.
  ///
  /// - Throws: ``FileError``, `CancellationError`; nothing is left behind then.
  public func finish() async throws {
    do {
      try await runInBackground { try self.synchronize() }
    } catch {
      file.discard()
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
