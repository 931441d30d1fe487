import Glibc
public import VaultInterface
import VaultStore

/// A vault with sample cards in a private directory, which is deleted when the program ends.
///
/// The directory's name holds the number of the process, which stays over every lock; what a process that was killed left
/// behind is removed when the next demo begins.
public struct DemoVault: Sendable, Hashable {
  /// The password of a demo vault for which nobody chose one: known to all.
  public static let knownPassword = "demo demo"
  private static let prefix = "quickvault-demo-"
  private static let fileName = "demo.quickvault"

  /// The path of the vault file.
  public let path: String
  /// The well-known password; nil if the user chose another one.
  public let password: String?

  /// The demo vault at a path that another process created; nil if its directory was deleted.
  public init?(at path: String, hasKnownPassword: Bool) {
    self.init(path: path, hasKnownPassword: hasKnownPassword)
    var status = stat()
    guard unsafe lstat(directory, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
  }

  private init(path: String, hasKnownPassword: Bool) {
    self.path = path
    password = hasKnownPassword ? Self.knownPassword : nil
  }

  /// A new private directory for a demo vault, in the first place of several that has room for it.
  ///
  /// - Throws: ``VaultError/unavailable(_:)`` where none has.
  public static func makeDemoDirectory(in parents: [String], hasKnownPassword: Bool) throws(VaultError)
    -> DemoVault
  {
    for parent in parents {
      removeLeftovers(parent)
      var template = "\(parent)/\(prefix)\(getpid())-XXXXXX".utf8CString.map { $0 }
      guard unsafe mkdtemp(&template) != nil else { continue }
      let directory = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
      return DemoVault(path: "\(directory)/\(fileName)", hasKnownPassword: hasKnownPassword)
    }
    throw .unavailable(.permissionDenied)
  }

  private var directory: String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }

  /// Removes the vault and its directory.
  public func remove() {
    Self.removeDirectory(directory)
  }

  /// Removes what demos of processes that are no more left in a directory.
  private static func removeLeftovers(_ parent: String) {
    for name in (try? Directory.names(in: parent)) ?? [] where name.hasPrefix(prefix) {
      let number = name.dropFirst(prefix.count).prefix { $0.isNumber }
      guard let process = Int32(number), process > 0, kill(process, 0) != 0, errno == ESRCH else { continue }
      removeDirectory("\(parent)/\(name)")
    }
  }

  /// Removes a directory of the user's own with the files in it, and never follows a link.
  private static func removeDirectory(_ path: String) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == getuid()
    else { return }
    for name in (try? Directory.names(in: path)) ?? [] where name != "." && name != ".." {
      unsafe unlink("\(path)/\(name)")
    }
    unsafe rmdir(path)
  }
}

extension VaultSession {
  /// Makes a demo vault with its sample cards and a sample attachment, and unlocks it.
  ///
  /// - Parameters:
  ///   - password: nil for the one known to all.
  ///   - keyDerivation: nil for the fastest that the format allows: there is nothing to guard.
  ///   - watermarksAttachment: whether the attachment has a watermark.
  /// - Throws: as ``create(password:keyDerivation:)``.
  public func createDemo(
    password: String?, keyDerivation: KeyDerivationRequest?, watermarksAttachment: Bool
  ) async throws {
    try await create(
      password: password ?? DemoVault.knownPassword,
      keyDerivation: keyDerivation ?? .pbkdf2(iterations: 100_000))
    for draft in DemoCards.all {
      let card = try createCard(draft).card
      guard draft == DemoCards.invoice else { continue }
      _ = try addAttachment(DemoLicence.draft(isWatermarked: watermarksAttachment), to: card.id)
    }
  }
}
