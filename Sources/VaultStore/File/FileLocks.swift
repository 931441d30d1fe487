import Glibc

/// The POSIX locks that processes hold on files.
///
/// They are read from the system's list (proc(5), `/proc/locks`), since asking for those of one file takes a descriptor of it, and
/// closing that would end the locks of this process.
struct FileLocks {
  private var holders: [Place: Set<Int32>] = [:]

  /// A file as the list names it.
  private struct Place: Hashable {
    let text: String

    init(_ text: String) {
      self.text = text
    }

    init(_ identity: FileStatus.Identity) {
      let major = identity.device >> 8 & 0xFFF | identity.device >> 32 & ~0xFFF
      let minor = identity.device & 0xFF | identity.device >> 12 & ~0xFF
      text =
        [major, minor].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: ":")
        + ":\(identity.inode)"
    }
  }

  /// The locks of this moment; none where the system does not tell.
  init() {
    for line in Self.list.split(separator: 0x0A) {
      let fields = line.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
      guard fields.count == 8, fields[1] == "POSIX", let process = Int32(fields[4]) else { continue }
      holders[Place(fields[5]), default: []].insert(process)
    }
  }

  /// The processes that hold a lock on a file, this one too.
  func holders(of file: FileStatus.Identity) -> Set<Int32> {
    holders[Place(file)] ?? []
  }

  private static var list: [UInt8] {
    let descriptor = unsafe open("/proc/locks", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = unsafe piece.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { return bytes }
      bytes += piece[..<count]
    }
  }
}
