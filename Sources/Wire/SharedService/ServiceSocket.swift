import CLinux
import Glibc

/// The listening socket of a service, and the lock that makes it the only one of its vault. Both outlive a re-exec.
package struct ServiceSocket: JSONObject, Hashable {
  package enum Failure: Error, Hashable, Sendable {
    case directory(ServiceDirectory.Refusal)
    case system(SystemError)
    /// Another process keeps the lock, but nobody listens. The process, if it is known.
    case unreachable(path: String, process: Int?)
  }

  /// The descriptor of the socket.
  package let descriptor: Int
  /// The descriptor of the lock file.
  package let lock: Int
  /// Whether another program, such as systemd, made the socket and keeps it.
  package let isInherited: Bool

  package static let coder = ObjectCoder(
    Self.init(descriptor:lock:isInherited:), .required("descriptor", \.descriptor), .required("lock", \.lock),
    .required("isInherited", \.isInherited))

  private init(descriptor: Int, lock: Int, isInherited: Bool) {
    (self.descriptor, self.lock, self.isInherited) = (descriptor, lock, isInherited)
  }

  /// The attempts, and the pause between them in milliseconds, to get a lock whose owner does not listen: it may be about to end.
  private static let (attempts, pause): (Int, Int32) = (400, 5)
  private static let backlog: Int32 = 4_096
  private static let endTimeout = Duration.milliseconds(250)

  /// Makes this process the service of a place.
  ///
  /// - Parameter inherited: a listening socket, such as systemd's; nil to make one.
  /// - Returns: nil if another process is the service.
  package static func claim(_ place: ServiceLocation, inherited: Int32? = nil) throws(Failure) -> Self? {
    guard let directory = try open(place) else { return nil }
    // Only one process at a time looks for a service and becomes it, or ends.
    let guarded = directory.lock()
    guard guarded == 0 else { throw .system(SystemError("flock")) }
    guard let lock = try claimLock(place, directory, isActivated: inherited != nil) else { return nil }
    if let inherited {
      return Self(descriptor: Int(inherited), lock: Int(lock), isInherited: true)
    }
    do {
      let socket = try listen(directory.path(of: place.socketName))
      return Self(descriptor: Int(socket), lock: Int(lock), isInherited: false)
    } catch {
      close(lock)
      throw .system(error)
    }
  }

  /// Ends the service: from now on, another process can become it. Clients that were not accepted find no service.
  package func release(_ place: ServiceLocation) {
    let directory = try? Self.open(place)
    _ = directory?.lock()
    // The directory may have been removed, and be that of another service by now.
    if !isInherited, let directory, isLockFile(directory.path(of: place.lockName)) {
      unsafe unlink(directory.path(of: place.socketName))
    }
    close(Int32(descriptor))
    close(Int32(lock))
  }

  /// Ends the connections of clients, and waits a moment for them to notice: otherwise they would report that the
  /// service died.
  package static func end(_ clients: [Int32]) {
    for client in clients { shutdown(client, Int32(SHUT_WR)) }
    var left = clients.map { pollfd(fd: $0, events: 0, revents: 0) }
    let start = ContinuousClock.now
    while !left.isEmpty, ContinuousClock.now - start < endTimeout,
      unsafe poll(&left, nfds_t(left.count), 50) >= 0
    {
      left.removeAll { $0.revents != 0 }
    }
  }

  /// The descriptors as numbers of the system; nil if they are no descriptors of a socket and a file.
  package var isValid: Bool {
    guard let descriptor = Int32(exactly: descriptor), let lock = Int32(exactly: lock) else { return false }
    return linux_is_listening(descriptor) == 1 && fcntl(lock, F_GETFD) >= 0
  }

  /// Whether a file is the one that this service keeps locked.
  private func isLockFile(_ path: String) -> Bool {
    var (own, other) = (stat(), stat())
    guard unsafe fstat(Int32(lock), &own) == 0, unsafe stat(path, &other) == 0 else { return false }
    return own.st_dev == other.st_dev && own.st_ino == other.st_ino
  }

  private static func open(_ place: ServiceLocation) throws(Failure) -> ServiceDirectory? {
    do {
      return try ServiceDirectory.open(place, creating: true)
    } catch {
      throw .directory(error)
    }
  }

  /// Locks the lock file and writes the process id into it.
  ///
  /// - Parameter isActivated: whether systemd started this process. Then systemd's socket is no sign of another service.
  /// - Returns: the file's descriptor; nil if another service listens.
  private static func claimLock(
    _ place: ServiceLocation, _ directory: borrowing ServiceDirectory, isActivated: Bool
  ) throws(Failure) -> Int32? {
    let path = directory.path(of: place.lockName)
    let file = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw .system(SystemError("open")) }
    for _ in 0..<attempts {
      let isLocked = flock(file, LOCK_EX | LOCK_NB) == 0
      let failure = SystemError("flock")
      guard isLocked || failure.number == EWOULDBLOCK || failure.number == EINTR else {
        close(file)
        throw .system(failure)
      }
      // Even with the lock: somebody may have removed the lock file of a service that runs.
      let isServed =
        isListening(directory.path(of: place.socketName))
        || !isLocked && !isActivated && isListening(directory.path(of: place.unitSocketName))
      if isServed {
        close(file)
        return nil
      }
      if isLocked {
        let text = Array("\(getpid())\n".utf8)
        ftruncate(file, 0)
        _ = unsafe pwrite(file, text, text.count, 0)
        return file
      }
      _ = poll(nil, 0, pause)
    }
    let owner = SystemFile.read(path).flatMap { Int($0.prefix { $0.isNumber }) }
    close(file)
    throw .unreachable(path: place.socket, process: owner)
  }

  private static func isListening(_ path: String) -> Bool {
    let socket = linux_socket()
    guard socket >= 0 else { return false }
    defer { close(socket) }
    return unsafe linux_set_nonblocking(socket) == 0
      && (linux_connect(socket, path, 0) == 0 || errno == EAGAIN)
  }

  /// Makes a listening socket in the place of one that nobody listens on.
  private static func listen(_ path: String) throws(SystemError) -> Int32 {
    unsafe unlink(path)
    let socket = linux_socket()
    guard socket >= 0 else { throw SystemError("socket") }
    guard unsafe linux_bind(socket, path) == 0, Glibc.listen(socket, backlog) == 0,
      linux_set_nonblocking(socket) == 0
    else {
      let failure = SystemError("bind")
      close(socket)
      throw failure
    }
    return socket
  }
}

/// The socket that systemd passes to a service that it starts (sd_listen_fds(3)).
package enum ActivationSocket {
  package enum Failure: Error, Hashable, Sendable {
    /// Other than one descriptor was passed, or one that is no listening AF_UNIX stream socket.
    case unusable
  }

  private static let first: Int32 = 3

  /// Takes the descriptor from the environment.
  ///
  /// - Returns: nil if none was passed to this process.
  package static func take() throws(Failure) -> Int32? {
    defer { for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsafe unsetenv(name) } }
    guard value("LISTEN_PID") == Int(getpid()), let count = value("LISTEN_FDS"), count > 0 else { return nil }
    guard count == 1, linux_is_listening(first) == 1, fcntl(first, F_SETFD, FD_CLOEXEC) == 0 else {
      throw .unusable
    }
    return first
  }

  /// Closes the connections that wait, so that their clients look for the service that runs already.
  package static func drain(_ socket: Int32) {
    var query = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    while unsafe poll(&query, 1, 0) > 0 {
      let connection = linux_accept(socket)
      guard connection >= 0 else { return }
      close(connection)
    }
  }

  private static func value(_ name: String) -> Int? {
    ProcessEnvironment[name].flatMap { Int($0) }
  }
}
