/// A file outside of the vault that is written piece by piece, and is there under its name only when all of it is.
///
/// Where it is let go before ``finish()``, nothing of it stays. It is used by one thread at a time.
public final class FileWriter: @unchecked Sendable {
  /// How many bytes are gathered before they are written.
  private static let portion = 1 << 18

  /// How many bytes it has so far.
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

  /// Writes bytes behind those that were written.
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

  /// Makes the file durable and gives it its name.
  ///
  /// - Throws: ``FileError``; nothing is left behind then.
  public func finish() throws(FileError) {
    try flush()
    try file.synchronize()
    try file.name(place.path, overwrites: overwrites)
    UserFile.synchronize(place.directory)
  }
}
