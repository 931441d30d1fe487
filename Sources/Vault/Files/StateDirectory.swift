import Glibc
import VaultStore
import Wire

/// The directory for state that belongs to this machine and not to a vault's file: the last known state of each vault,
/// password attempts and events. With it, reading a vault does not change its file.
///
/// Nothing in it is needed: a directory that cannot be made, read or written remembers nothing. Files are not synced, so
/// that a write costs little; after a power failure one may be missing or older.
public struct StateDirectory: Sendable, Hashable {
  private static let maximumFileSize = 1_024
  private let path: String

  /// A directory, which need not exist yet.
  public init(_ path: String) {
    self.path = path
  }

  /// What is remembered of a vault.
  enum Content: String, CaseIterable {
    /// The last known state of the vault, sealed.
    case state = "vault"
    /// The attempts with a password on this machine.
    case attempts
  }

  private func path(_ content: Content, of vault: Identifier) -> String {
    "\(path)/\(content.rawValue)-\(vault)"
  }

  /// Returns what was written last; nil for nothing.
  func read(_ content: Content, of vault: Identifier) -> [UInt8]? {
    guard let path = try? UserPath(path(content, of: vault)) else { return nil }
    return (try? UserFile.read(path, limit: Self.maximumFileSize))?.prefix(Self.maximumFileSize)
  }

  /// Writes a file of mode 0600 in one step, in a directory of mode 0700.
  ///
  /// - Returns: whether it was written.
  @discardableResult func write(_ written: [UInt8], _ content: Content, of vault: Identifier) -> Bool {
    guard let bytes = PrivateBytes(capacity: written.count) else { return false }
    bytes.append(written)
    do {
      try Directory.make(path)
      let file = try NewFile(in: path)
      try file.write(bytes)
      try file.name(path(content, of: vault), overwrites: true)
      return true
    } catch {
      return false
    }
  }

  /// The log of a vault's events on this machine.
  func events(of vault: Identifier) -> LineLog { LineLog(in: path, name: "events-\(vault)") }

  /// The path of the lock for the tokens of a vault's account, in a directory of mode 0700.
  func tokenLock(of vault: Identifier) -> String {
    try? Directory.make(path)
    return "\(path)/tokens-\(vault)"
  }

  /// Removes what was written of a vault.
  func remove(_ vault: Identifier) {
    unsafe unlink(tokenLock(of: vault))
    for content in Content.allCases { remove(content, of: vault) }
    events(of: vault).remove()
  }

  /// - Returns: whether there is nothing any more.
  @discardableResult func remove(_ content: Content, of vault: Identifier) -> Bool {
    unsafe unlink(path(content, of: vault)) == 0 || errno == ENOENT
  }
}

/// A lock among the processes of a user that have a vault in use, for the one that replaces its account's tokens.
///
/// It is released with its last descriptor, so it can be handed off to the next process.
public final class TokenLock: Sendable {
  private let descriptor: Int32

  /// Opens the lock of a vault, without acquiring it.
  ///
  /// - Returns: nil if the directory cannot be written.
  init?(of vault: Identifier, in states: StateDirectory) {
    descriptor = unsafe open(
      states.tokenLock(of: vault), O_RDONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    if descriptor < 0 { return nil }
  }

  /// Takes over a lock that the process before acquired.
  public init(acquired descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Acquires the lock, if no other process has it.
  public func tryAcquire() -> Bool {
    flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
  }

  /// Returns a descriptor with which another process goes on; nil if there is none.
  public func handOff() -> Int32? {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    return copy < 0 ? nil : copy
  }

  deinit {
    close(descriptor)
  }
}
