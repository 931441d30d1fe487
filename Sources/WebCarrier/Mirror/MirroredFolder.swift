import CLinux
import Glibc
package import HelperProtocols

/// The folder on this machine. One process carries it at a time.
package struct MirroredFolder {
  private let path: String
  private let descriptor: Int32
  private static let temporaryPrefix = ".carrier-"

  /// - Throws: ``CarrierError/folder(_:)``; ``CarrierError/folderInUse``.
  package init(_ path: String) throws(CarrierError) {
    self.path = path
    descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .folder(errno) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let number = errno
      _ = Glibc.close(descriptor)
      throw number == EWOULDBLOCK ? .folderInUse : .folder(number)
    }
  }

  /// Releases the folder for other processes.
  package func close() {
    _ = Glibc.close(descriptor)
  }

  /// Lists the files, and removes those that an earlier process left unfinished.
  func list() throws(CarrierError) -> Listing {
    var listing = Listing()
    for vault in try names(in: "") where MirroredFile.isIdentifier(vault) {
      for epoch in try names(in: vault) where MirroredFile.isIdentifier(epoch) {
        for part in MirroredFile.Part.allCases {
          let top = "\(vault)/\(epoch)/\(part.rawValue)"
          let directories = part.isByReplica ? try names(in: top).map { "\(top)/\($0)" } : [top]
          for directory in directories { try list(directory, into: &listing) }
        }
      }
    }
    return listing
  }

  private func list(_ directory: String, into listing: inout Listing) throws(CarrierError) {
    for name in try names(in: directory) {
      if name.hasPrefix(Self.temporaryPrefix) { unsafe unlink("\(path)/\(directory)/\(name)") }
      guard let file = MirroredFile("\(directory)/\(name)") else { continue }
      var status = stat()
      guard unsafe lstat("\(path)/\(file.path)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        continue
      }
      listing.add(file, size: Int(status.st_size))
    }
  }

  /// Returns the bytes of a file; nil if it was removed, or is longer than a file of its part can be.
  func read(_ file: MirroredFile) throws(CarrierError) -> [UInt8]? {
    let descriptor = unsafe open("\(path)/\(file.path)", O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw .folder(errno)
    }
    defer { _ = Glibc.close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw .folder(errno) }
    guard status.st_size <= file.limit else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var count = 0
    while count < bytes.count {
      let got = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe Glibc.read(descriptor, buffer.baseAddress?.advanced(by: count), buffer.count - count)
      }
      if got < 0 && errno == EINTR { continue }
      guard got >= 0 else { throw .folder(errno) }
      guard got > 0 else { return nil }
      count += got
    }
    return bytes
  }

  /// Writes a file that is complete and on the disk before it has its name. A file of this name is not replaced.
  func write(_ bytes: [UInt8], _ file: MirroredFile) throws(CarrierError) {
    try requireSpace(for: bytes.count)
    try makeDirectory(file.directory)
    let temporary = "\(path)/\(file.directory)/\(Self.temporaryPrefix)\(getpid())"
    unsafe unlink(temporary)
    let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .folder(errno) }
    do {
      defer { _ = Glibc.close(descriptor) }
      try write(bytes, to: descriptor)
    } catch {
      unsafe unlink(temporary)
      throw error
    }
    do {
      try name(temporary, "\(path)/\(file.path)")
    } catch {
      unsafe unlink(temporary)
      throw error
    }
    try synchronize(file.directory)
  }

  private func name(_ temporary: String, _ path: String) throws(CarrierError) {
    if unsafe linux_rename_to_new(temporary, path) == 0 { return }
    guard errno == EEXIST else { throw .folder(errno) }
    unsafe unlink(temporary)
  }

  /// What stays free on the disk, in bytes, whatever the server sends.
  private static let reserve: UInt = 16_777_216

  private func requireSpace(for count: Int) throws(CarrierError) {
    var status = statvfs()
    guard unsafe fstatvfs(descriptor, &status) == 0 else { throw .folder(errno) }
    let free = UInt(status.f_bavail).multipliedReportingOverflow(by: UInt(status.f_frsize))
    guard free.overflow || free.partialValue >= UInt(count) + Self.reserve else { throw .folder(ENOSPC) }
  }

  private func write(_ bytes: [UInt8], to descriptor: Int32) throws(CarrierError) {
    var count = 0
    while count < bytes.count {
      let written = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.write(descriptor, buffer.baseAddress?.advanced(by: count), buffer.count - count)
      }
      if written < 0 && errno == EINTR { continue }
      guard written > 0 else { throw .folder(errno) }
      count += written
    }
    guard fsync(descriptor) == 0 else { throw .folder(errno) }
  }

  func remove(_ file: MirroredFile) throws(CarrierError) {
    guard unsafe unlink("\(path)/\(file.path)") == 0 || errno == ENOENT else { throw .folder(errno) }
  }

  private func makeDirectory(_ name: String) throws(CarrierError) {
    var directory = path
    for component in name.split(separator: "/") {
      directory += "/\(component)"
      guard unsafe mkdir(directory, 0o700) == 0 || errno == EEXIST else { throw .folder(errno) }
    }
  }

  private func synchronize(_ name: String) throws(CarrierError) {
    let descriptor = unsafe open("\(path)/\(name)", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .folder(errno) }
    defer { _ = Glibc.close(descriptor) }
    // Some file systems cannot synchronise directories.
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw .folder(errno) }
  }

  private func names(in directory: String) throws(CarrierError) -> [String] {
    guard let stream = unsafe opendir("\(path)/\(directory)") else {
      if errno == ENOENT || errno == ENOTDIR { return [] }
      throw .folder(errno)
    }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }
}
