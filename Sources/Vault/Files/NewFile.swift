import CLinux
import Glibc

/// A file that is written before it gets its name, and is deleted if it never gets one.
package struct NewFile: ~Copyable {
  private let descriptor: Int32
  private let directory: String
  /// The temporary name; empty for a file without a name.
  private let hiddenName: String

  /// Creates an empty file with mode 0600, whatever the umask.
  package init(in directory: String) throws(FileError) {
    self.directory = directory
    var name = ""
    var opened = unsafe linux_open_nameless(directory)
    // The errors of file systems and kernels without O_TMPFILE.
    if opened < 0, [EOPNOTSUPP, EISDIR, EINVAL, ENOENT].contains(errno) {
      name = Self.hidden(in: directory)
      opened = unsafe open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    }
    descriptor = opened
    hiddenName = name
    guard opened >= 0 else { throw .writing(errno) }
    guard fchmod(opened, 0o600) == 0 else { throw .writing(errno) }
  }

  deinit {
    guard descriptor >= 0 else { return }
    close(descriptor)
    discard()
  }

  private static func hidden(in directory: String) -> String {
    "\(directory)/.quickvault-\(String(UInt64.random(in: 0 ... .max), radix: 16))"
  }

  /// Appends bytes.
  package func write(_ bytes: PrivateBytes) throws(FileError) {
    var position = 0
    while position < bytes.count {
      let count = bytes.write(to: descriptor, from: position)
      guard count >= 0 || errno == EINTR else { throw .writing(errno) }
      position += max(count, 0)
    }
  }

  /// Unlinks the temporary name, so that nothing remains of the file however this process ends.
  package func discard() {
    if !hiddenName.isEmpty { unsafe unlink(hiddenName) }
  }

  /// Makes the content durable.
  package func synchronize() throws(FileError) {
    guard fsync(descriptor) == 0 else { throw .writing(errno) }
  }

  /// Links the file to its name.
  ///
  /// - Throws: ``FileError/exists`` if the name is in use and `overwrites` is false.
  package func name(_ path: String, overwrites: Bool) throws(FileError) {
    if !overwrites {
      guard link(to: path) else { throw .writing(errno) }
      return
    }
    // linkat(2) replaces nothing, and rename(2) needs a name.
    let name = hiddenName.isEmpty ? Self.hidden(in: directory) : hiddenName
    guard !hiddenName.isEmpty || link(to: name) else { throw .writing(errno) }
    guard unsafe rename(name, path) == 0 else {
      let reason = errno
      unsafe unlink(name)
      throw .writing(reason)
    }
  }

  /// Links the file to a name that is not in use.
  private func link(to path: String) -> Bool {
    unsafe (hiddenName.isEmpty ? linux_name(descriptor, path) : linux_rename_to_new(hiddenName, path)) == 0
  }
}
