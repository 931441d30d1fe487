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

/// The directory of sockets and lock files, opened and found to be the user's own.
///
/// Files in it are reached through the open directory, so that nobody can put another in its place, and however long its
/// path is: that of a socket has at most 107 bytes.
package struct ServiceDirectory: ~Copyable {
  /// Why a directory is not used. Each case names the directory.
  package enum Refusal: Error, Hashable, Sendable {
    /// It is a symbolic link.
    case link(String)
    /// It is another kind of file.
    case noDirectory(String)
    /// It belongs to another user.
    case otherOwner(String, UInt32)
    /// Its mode is not 0700.
    case wrongMode(String, UInt32)
    case system(String, SystemError)
  }

  /// The directory's path.
  package let path: String
  private let descriptor: Int32

  /// Opens the directory.
  ///
  /// - Parameter isCreated: whether to create it, with mode 0700, if it does not exist.
  /// - Returns: nil if it does not exist.
  package static func open(_ place: ServiceLocation, creating isCreated: Bool) throws(Refusal) -> Self? {
    let path = place.directory
    if isCreated, unsafe mkdir(path, 0o700) != 0, errno != EEXIST {
      throw .system(path, SystemError("mkdir"))
    }
    let descriptor = unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else {
      let failure = SystemError("open")
      if failure.number == ENOENT, !isCreated { return nil }
      throw Self.refusal(of: path, failure)
    }
    let directory = Self(path: path, descriptor: descriptor)
    try directory.check(owner: place.user)
    return directory
  }

  private init(path: String, descriptor: Int32) {
    (self.path, self.descriptor) = (path, descriptor)
  }

  deinit { close(descriptor) }

  /// A path of a file in the directory, which holds while this value lives.
  package func path(of name: String) -> String { "/proc/self/fd/\(descriptor)/\(name)" }

  /// Waits for the lock on the directory, which is kept while this value lives.
  ///
  /// - Returns: 0, or -1 and `errno`.
  func lock() -> Int32 {
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else { return -1 }
    }
    return 0
  }

  private func check(owner: UInt32) throws(Refusal) {
    var information = stat()
    guard unsafe fstat(descriptor, &information) == 0 else { throw .system(path, SystemError("fstat")) }
    guard information.st_uid == owner else { throw .otherOwner(path, information.st_uid) }
    let mode = information.st_mode & 0o777
    guard mode == 0o700 else { throw .wrongMode(path, mode) }
  }

  /// Why a directory could not be opened.
  private static func refusal(of path: String, _ failure: SystemError) -> Refusal {
    var information = stat()
    guard unsafe lstat(path, &information) == 0 else { return .system(path, failure) }
    switch information.st_mode & S_IFMT {
    case S_IFLNK: return .link(path)
    case S_IFDIR: return .system(path, failure)
    default: return .noDirectory(path)
    }
  }
}

extension ServiceDirectory.Refusal {
  /// What a person reads, in English and in Chinese.
  package var message: (english: String, simplifiedChinese: String) {
    switch self {
    case .link(let path): ("\(path) is a symbolic link; remove it", "\(path) 是符号链接，请删除")
    case .noDirectory(let path): ("\(path) is not a directory; remove it", "\(path) 不是目录，请删除")
    case .otherOwner(let path, let user):
      ("\(path) belongs to another user (\(user))", "\(path) 属于其他用户（\(user)）")
    case .wrongMode(let path, let mode):
      (
        "\(path) has the mode \(String(mode, radix: 8)) instead of 700; run: chmod 700 '\(path)'",
        "\(path) 的权限是 \(String(mode, radix: 8))，应为 700；请运行 chmod 700 '\(path)'"
      )
    case .system(let path, let error): ("\(path): \(error)", "\(path): \(error)")
    }
  }
}

/// Where the vault is if no option names it.
package enum StandardVault {
  /// `QUICKVAULT_VAULT`, or else the path by the XDG Base Directory Specification; nil without a home directory.
  package static func path(_ environment: (String) -> String?) -> String? {
    if let path = environment("QUICKVAULT_VAULT"), !path.isEmpty { return path }
    let data = environment("XDG_DATA_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
    let directory = data ?? homeDirectory(environment).map { "\($0)/.local/share" }
    return directory.map { "\($0)/quickvault/vault.quickvault" }
  }

  /// `HOME`, or else what the system has of this user; nil if neither is an absolute path.
  package static func homeDirectory(_ environment: (String) -> String?) -> String? {
    if let home = environment("HOME"), home.hasPrefix("/") { return home }
    guard let entry = unsafe getpwuid(getuid()), let directory = unsafe entry.pointee.pw_dir else {
      return nil
    }
    let home = unsafe String(cString: directory)
    return home.hasPrefix("/") ? home : nil
  }
}
