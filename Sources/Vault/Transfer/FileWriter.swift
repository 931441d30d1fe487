import Glibc
import VaultInterface
import VaultStore

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

extension FileError {
  /// Maps an error of writing a file outside of the vault; nil for one that concerns the vault itself.
  init?(writing error: StoreError) {
    switch error.kind {
    case .notFound, .missingDirectory, .invalidPath: self = .notFound
    case .alreadyExists: self = .exists
    case .notARegularFile: self = .notRegular
    case .permissionDenied: self = .notWritable(.permissionDenied, error.origin)
    case .readOnly: self = .notWritable(.readOnly, error.origin)
    case .diskFull: self = .notWritable(.diskFull, error.origin)
    case .inputOutput: self = .notWritable(.inputOutput, error.origin)
    default: return nil
    }
  }
}

/// The path of a vault's file, symbolic links resolved.
struct VaultLocation {
  let path: String
  let directory: String
  let name: String

  init(_ path: String) throws {
    self.path = try VaultFile.resolvedPath(path)
    let slash = self.path.lastIndex(of: "/") ?? self.path.startIndex
    directory = slash == self.path.startIndex ? "/" : String(self.path[..<slash])
    name = String(self.path[self.path.index(after: slash)...])
  }

  /// Returns a path beside the vault for the copy of the damaged file.
  func copyPath(_ time: Timestamp, _ number: Int) -> String {
    let suffix = number == 1 ? "" : "-\(number)"
    return
      "\(DatedName.stem(of: path))-damaged-\(DatedName.stamp(of: time))\(suffix)\(DatedName.fileExtension)"
  }
}

/// The parts of file names derived from a vault's name and a time.
enum DatedName {
  /// The file name extension of vaults.
  static let fileExtension = ".quickvault"

  /// Returns a name or path without the extension.
  static func stem(of name: String) -> String {
    name.hasSuffix(fileExtension) ? String(name.dropLast(fileExtension.count)) : name
  }

  /// Formats a time for a file name, such as `20261121T123005Z`.
  static func stamp(of time: Timestamp) -> String {
    time.description.prefix(19).filter { $0 != "-" && $0 != ":" } + "Z"
  }
}

extension VaultSession {
  /// Begins a file that the user names, with mode 0600. The vault's own file is never replaced.
  ///
  /// - Throws: `FileError`.
  public func beginFile(_ path: String, overwrites: Bool) throws -> FileWriter {
    try checkFile(path, overwrites: overwrites)
    return try FileWriter(UserPath(path), overwrites: overwrites)
  }
}
