import Foundation
import Glibc
import SessionSupport
import TestSupport
import Testing

@testable import Vault

/// Files outside of the vault, on a real file system with real FIFOs, devices and directories.
@Suite("Files that the user names") struct UserFileTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func error(_ body: () throws -> Void) -> FileError? {
    do {
      try body()
      return nil
    } catch {
      return error as? FileError
    }
  }

  private func read(_ path: String, limit: Int = 100) throws -> [UInt8] {
    let bytes = try UserFile.read(UserPath(path), limit: limit)
    return bytes.withSpan { span in span.withUnsafeBytes { [UInt8]($0) } }
  }

  private func write(_ text: String, to path: String, overwrites: Bool = false) throws {
    let bytes = try #require(PrivateBytes(capacity: text.utf8.count))
    Array(text.utf8).withUnsafeBytes { bytes.append($0.bytes) }
    try UserFile.write([bytes], to: UserPath(path), overwrites: overwrites)
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
  }

  // MARK: Reading

  @Test("A file is read byte for byte, up to its limit")
  func limits() throws {
    let path = directory.appending("a")
    for count in [0, 1, 99, 100] {
      let content = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      try Data(content).write(to: URL(filePath: path))
      #expect(try read(path) == content)
    }
    try Data(count: 101).write(to: URL(filePath: path))
    #expect(error { _ = try read(path) } == .tooLarge(limit: 100))
  }

  @Test(
    "Spaces, Chinese and a leading ~ are supported; a relative path is relative to the working directory")
  func paths() throws {
    let name = "身份证 正面 (1).jpg"
    try Data("x".utf8).write(to: URL(filePath: directory.appending(name)))
    #expect(try read(directory.appending(name)) == Array("x".utf8))
    #expect(try UserPath(directory.appending(name)).name == name)

    let home = try #require(ProcessInfo.processInfo.environment["HOME"])
    #expect(try UserPath("~/a b").path == home + "/a b")
    #expect(try UserPath("~").path == home)
    #expect(try UserPath("~a").path == "~a")
    #expect(try UserPath("a/~").path == "a/~")
    #expect(try read("/proc/self/comm", limit: 64).isEmpty == false)
    #expect(try UserPath("a").directory == ".")
    #expect(try UserPath("/a").directory == "/")
    #expect(try UserPath("b/a").directory == "b")
    for path in ["a/", "/", "..", "a/."] { #expect(try UserPath(path).name == nil) }
  }

  @Test(
    "Missing, irregular and unreadable files have different errors, and a FIFO without a writer does not block"
  )
  func unreadable() throws {
    let fifo = directory.appending("fifo")
    mkfifo(fifo, 0o600)
    let socket = directory.appending("socket")
    try bindSocket(at: socket)
    for path in [directory.path, fifo, socket, "/dev/zero", "/dev/tty"] {
      let found = error { _ = try read(path) }
      #expect(found == .notRegular, "\(path): \(String(describing: found))")
    }
    for path in ["", "a\0b", directory.appending("none"), "/dev/null/a", String(repeating: "a", count: 300)] {
      #expect(error { _ = try read(path) } == .notFound, "\(path)")
    }
    symlink("loop", directory.appending("loop"))
    #expect(error { _ = try read(directory.appending("loop")) } == .unreadable(.inputOutput))
    symlink(directory.appending("a"), directory.appending("link"))
    try Data("x".utf8).write(to: URL(filePath: directory.appending("a")))
    #expect(try read(directory.appending("link")) == Array("x".utf8))
  }

  @Test("A file that cannot be read is reported")
  func failing() throws {
    // Nothing is ever mapped at the beginning of a process's memory.
    #expect(error { _ = try read("/proc/self/mem") } == .unreadable(.inputOutput))
  }

  // MARK: Writing

  @Test("A written file has mode 0600 whatever the umask, and leaves no other file in its directory")
  func written() throws {
    let path = directory.appending("导出 1.txt")
    try write("one", to: path)
    #expect(try read(path) == Array("one".utf8))
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(try names() == ["导出 1.txt"])
  }

  @Test("An existing file is replaced only on request")
  func existing() throws {
    let path = directory.appending("a")
    try write("one", to: path)
    #expect(error { try write("two", to: path) } == .exists)
    #expect(try read(path) == Array("one".utf8))
    try write("two", to: path, overwrites: true)
    #expect(try read(path) == Array("two".utf8))
    try write("three", to: directory.appending("b"), overwrites: true)
    #expect(try names() == ["a", "b"])
  }

  @Test("Links, directories and devices are never replaced, and links are not followed")
  func others() throws {
    let (target, link) = (directory.appending("target"), directory.appending("link"))
    try write("kept", to: target)
    symlink(target, link)
    #expect(error { try write("x", to: link) } == .exists)
    #expect(error { try write("x", to: link, overwrites: true) } == .notRegular)
    #expect(try read(target) == Array("kept".utf8))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)

    mkfifo(directory.appending("fifo"), 0o600)
    mkdir(directory.appending("folder"), 0o700)
    for name in ["fifo", "folder", "folder/", "folder/.."] {
      for overwrites in [false, true] {
        let path = directory.appending(name)
        #expect(error { try write("x", to: path, overwrites: overwrites) } == .notRegular, "\(name)")
      }
    }
    #expect(error { try write("x", to: directory.appending("none/a")) } == .notFound)
    #expect(error { try write("x", to: target + "/a") } == .notFound)
    #expect(try names() == ["fifo", "folder", "link", "target"])
  }

  @Test("A full disk leaves nothing behind", .enabled(if: getuid() == 0, "mounting needs root"))
  func fullDisk() async throws {
    try await onSmallFileSystem("tmpfs", "size=64k") { place in
      #expect(
        self.error { try self.write(String(repeating: "x", count: 1 << 20), to: place + "/a") }
          == .notWritable(.diskFull))
      #expect(try FileManager.default.contentsOfDirectory(atPath: place).isEmpty)
      try self.write("small", to: place + "/a")
      #expect(
        self.error {
          try self.write(String(repeating: "x", count: 1 << 20), to: place + "/a", overwrites: true)
        }
          == .notWritable(.diskFull))
      #expect(try self.read(place + "/a") == Array("small".utf8))
    }
  }

  @Test("A read-only file system is reported", .enabled(if: getuid() == 0, "mounting needs root"))
  func readOnly() async throws {
    try await onSmallFileSystem("tmpfs", "size=64k", UInt(MS_RDONLY)) { place in
      #expect(self.error { try self.write("x", to: place + "/a") } == .notWritable(.readOnly))
    }
  }

  @Test(
    "The same holds on file systems without nameless files",
    .enabled(if: getuid() == 0, "mounting needs root"))
  func namesFromTheStart() async throws {
    // ramfs takes no file without a name before Linux 6.6; overlayfs takes none on the kernels of Debian 12.
    try await onSmallFileSystem("ramfs", "mode=700") { place in
      try self.write("one", to: place + "/a")
      #expect(self.error { try self.write("two", to: place + "/a") } == .exists)
      try self.write("two", to: place + "/a", overwrites: true)
      #expect(try self.read(place + "/a") == Array("two".utf8))
      #expect(try FileManager.default.contentsOfDirectory(atPath: place) == ["a"])
    }
  }

  @Test("If two sessions write the same name, exactly one succeeds, with and without named temporary files")
  func races() async throws {
    let path = directory.appending("a")
    let errors = await withTaskGroup(of: FileError?.self) { group in
      for number in 0..<16 { group.addTask { self.error { try self.write("\(number)", to: path) } } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(errors.count { $0 == nil } == 1)
    #expect(errors.count { $0 == .exists } == 15)
    #expect(try names() == ["a"])
  }

  // MARK: Surroundings

  private func bindSocket(at path: String) throws {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { field in
      path.utf8CString.withUnsafeBytes {
        field.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0.prefix(107)))
      }
    }
    let bound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(bound == 0)
  }

  /// Mounts a file system in a temporary directory during the call.
  private func onSmallFileSystem(
    _ type: String, _ options: String, _ flags: UInt = 0,
    _ body: @escaping @Sendable (String) throws -> Void
  ) async throws {
    let place = directory.appending("mounted")
    mkdir(place, 0o700)
    try #require(mount(type, place, type, flags, options) == 0, "mount: \(String(cString: strerror(errno)))")
    defer { umount2(place, Int32(MNT_DETACH)) }
    try body(place)
  }
}
