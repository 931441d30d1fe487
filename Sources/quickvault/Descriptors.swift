import EventLoop
import CLinux
import Glibc
import VaultServer

/// The descriptors of a conversation, out of the reach of everything else in the process.
///
/// Descriptor 1 carries the protocol and nothing else may write to it: it is moved aside, and what any library prints
/// goes to standard error.
struct Descriptors {
  /// Where requests come from.
  let input: Int32 = 0
  /// Where answers go.
  let output: Int32
  /// Kept for what the change of address space needs, so that locking works when no other descriptor is to be had.
  private let spare: Int32

  /// How many descriptors more than the standard ones there must be. The Swift runtime and libgcrypt end the process where
  /// they cannot have the few that they need; past this, what is missing is an error in an answer.
  static let needed = 18

  /// Moves descriptor 1 aside and puts standard error in its place.
  ///
  /// - Parameter waits: whether to wait until there are descriptors enough, rather than to throw.
  init(waiting waits: Bool) throws(SystemError) {
    try Self.fillStandardDescriptors()
    try Self.requireEnough(waiting: waits)
    output = fcntl(1, F_DUPFD_CLOEXEC, 3)
    guard output >= 0 else { throw SystemError("fcntl") }
    spare = fcntl(output, F_DUPFD_CLOEXEC, 3)
    guard spare >= 0 else { throw SystemError("fcntl") }
    guard dup2(2, 1) == 1 else { throw SystemError("dup2") }
  }

  /// Puts descriptor 1 back, for the process that takes this one's place.
  func restore() throws(SystemError) {
    guard dup2(output, 1) == 1 else { throw SystemError("dup2") }
  }

  /// Gives back the descriptor that was kept for the change of address space, and waits for those that loading the program
  /// takes.
  func makeRoom() throws(SystemError) {
    close(spare)
    try Self.requireEnough(4, waiting: true)
  }

  /// Takes as many descriptors as are needed and gives them back, the limit raised to the hard one where it is too low.
  ///
  /// - Parameters:
  ///   - count: how many; what a conversation needs unless said.
  ///   - waits: whether to wait for them, half a minute at the most: a conversation that is going on is not ended by a
  ///     moment's lack.
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

  /// Opens `/dev/null` where one of the first three descriptors is closed, lest the vault's file become one of them.
  private static func fillStandardDescriptors() throws(SystemError) {
    for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 {
      let flags = descriptor == 0 ? O_RDONLY : O_WRONLY
      guard unsafe open("/dev/null", flags) == descriptor else { throw SystemError("open /dev/null") }
    }
  }
}
