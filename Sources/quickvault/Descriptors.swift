import CLinux
import Glibc
import Service
import Wire

/// The descriptors of a conversation.
///
/// Descriptor 1 carries the protocol and nothing else may write to it: it is moved to another number, and whatever a library
/// prints goes to standard error.
struct Descriptors {
  let input: Int32 = 0
  let output: Int32
  /// Reserved for the re-exec, so that locking works when no other descriptor is available.
  private let spare: Int32

  /// How many descriptors besides the standard ones must be available. The Swift runtime and libgcrypt end the process if they
  /// do not get the few that they need; with these, a lack of descriptors is an error in an answer.
  static let needed = 18

  /// Moves descriptor 1 and puts standard error in its place.
  ///
  /// - Parameter waits: whether to wait for descriptors instead of throwing.
  init(waiting waits: Bool) throws(SystemError) {
    try Self.fillStandardDescriptors()
    try Self.requireEnough(waiting: waits)
    output = fcntl(1, F_DUPFD_CLOEXEC, 3)
    guard output >= 0 else { throw SystemError("fcntl") }
    spare = fcntl(output, F_DUPFD_CLOEXEC, 3)
    guard spare >= 0 else { throw SystemError("fcntl") }
    guard dup2(2, 1) == 1 else { throw SystemError("dup2") }
  }

  /// Puts descriptor 1 back for the next process.
  func restore() throws(SystemError) {
    guard dup2(output, 1) == 1 else { throw SystemError("dup2") }
  }

  /// Releases the reserved descriptor, and waits for those that loading the program takes.
  func makeRoom() throws(SystemError) {
    close(spare)
    try Self.requireEnough(4, waiting: true)
  }

  /// Checks that descriptors are available by opening and closing them. Raises a limit that is too low to the hard one.
  ///
  /// - Parameters:
  ///   - count: how many; by default as many as a conversation needs.
  ///   - waits: whether to wait for them, up to 30 seconds: a short lack does not end a conversation.
  static func requireEnough(_ count: Int = needed, waiting waits: Bool) throws(SystemError) {
    var tries = waits ? 600 : 2
    while true {
      var taken: [Int32] = []
      while taken.count < count, case let descriptor = fcntl(2, F_DUPFD_CLOEXEC, 3), descriptor >= 0 {
        taken.append(descriptor)
      }
      let lack = SystemError("fcntl")
      for descriptor in taken { close(descriptor) }
      if taken.count == count { return }
      tries -= 1
      guard tries > 0 else { throw lack }
      linux_raise_descriptor_limit()
      if waits { _ = poll(nil, 0, 50) }
    }
  }

  /// Opens `/dev/null` for each of the first three descriptors that is closed, so that the vault's file cannot become one.
  static func fillStandardDescriptors() throws(SystemError) {
    for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 {
      let flags = descriptor == 0 ? O_RDONLY : O_WRONLY
      guard unsafe open("/dev/null", flags) == descriptor else { throw SystemError("open /dev/null") }
    }
  }
}
