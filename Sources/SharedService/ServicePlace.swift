package import EventLoop
import Glibc

/// Where the service of a vault listens. It depends on the user and the vault's real path alone.
package struct ServicePlace: Hashable, Sendable {
  /// The real path of the vault.
  package let vault: String
  /// The directory of sockets and lock files, which need not exist yet.
  package let directory: String
  /// The user whose service it is.
  package let user: UInt32
  /// The hash of the vault's real path: FNV-1a of 64 bits in hexadecimal digits.
  package let name: String

  /// - Parameters:
  ///   - path: the vault's path; a link is followed, and the file need not exist.
  ///   - root: the path before `/run/user` and `/tmp`, for tests.
  /// - Throws: ``SystemError`` if the path cannot be resolved.
  package init(
    vault path: String, user: UInt32 = geteuid(), environment: (String) -> String?, root: String = ""
  ) throws(SystemError) {
    vault = try RealPath.of(path)
    self.user = user
    let candidates = [environment("XDG_RUNTIME_DIR"), "\(root)/run/user/\(user)"]
    let runtime = candidates.lazy.compactMap { $0 }.first { Self.isPrivate($0, of: user) }
    directory = runtime.map { "\($0)/quickvault" } ?? "\(root)/tmp/quickvault-\(user)"
    let hash = vault.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    let digits = String(hash, radix: 16)
    name = String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// The socket's path.
  package var socket: String { "\(directory)/\(name).sock" }
  /// The path of the lock file, which the service keeps locked while it runs.
  package var lock: String { "\(directory)/\(name).lock" }

  /// Whether a path is an absolute one of a directory of the user, in which nobody else can write.
  private static func isPrivate(_ path: String, of user: UInt32) -> Bool {
    var information = stat()
    guard path.hasPrefix("/"), unsafe stat(path, &information) == 0 else { return false }
    return information.st_mode & S_IFMT == S_IFDIR && information.st_uid == user
      && information.st_mode & 0o022 == 0
  }
}
