import Glibc

/// The socket and lock file of a vault's service. Depends only on the user and the vault's real path.
package struct ServiceLocation: JSONObject, Hashable {
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

  package static let coder = ObjectCoder(
    Self.init(vault:directory:user:name:), .required("vault", \.vault), .required("directory", \.directory),
    .required("user", \.userNumber), .required("name", \.name))

  private init(vault: String, directory: String, user: Int, name: String) {
    (self.vault, self.directory, self.name) = (vault, directory, name)
    self.user = UInt32(truncatingIfNeeded: user)
  }

  private var userNumber: Int { Int(user) }

  /// The socket's path.
  package var socket: String { "\(directory)/\(socketName)" }

  /// The name of the socket in the directory.
  var socketName: String { name + ".sock" }
  /// The name of the lock file, which the service keeps locked while it runs.
  var lockName: String { name + ".lock" }
  /// The name of the socket that systemd makes for `quickvault@.socket`: the path as `systemd-escape --path` writes it.
  var unitSocketName: String {
    let parts = vault.split(separator: "/").map { part in
      part.utf8.map { byte in
        let isPlain =
          0x30...0x39 ~= byte || 0x41...0x5A ~= byte || 0x61...0x7A ~= byte
          || [0x3A, 0x5F, 0x2E].contains(byte)
        return isPlain
          ? String(UnicodeScalar(byte)) : "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }.joined()
    }
    let name = parts.isEmpty ? "-" : parts.joined(separator: "-")
    return (name.hasPrefix(".") ? "\\x2e" + name.dropFirst() : name) + ".sock"
  }

  /// Whether a path is an absolute one of a directory of the user, in which nobody else can write.
  private static func isPrivate(_ path: String, of user: UInt32) -> Bool {
    var information = stat()
    guard path.hasPrefix("/"), unsafe stat(path, &information) == 0 else { return false }
    return information.st_mode & S_IFMT == S_IFDIR && information.st_uid == user
      && information.st_mode & 0o022 == 0
  }
}
