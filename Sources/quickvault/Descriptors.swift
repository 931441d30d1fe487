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

  /// Moves descriptor 1 aside and puts standard error in its place.
  init() throws(SystemError) {
    try Self.fillStandardDescriptors()
    output = fcntl(1, F_DUPFD_CLOEXEC, 3)
    guard output >= 0 else { throw SystemError("fcntl") }
    guard dup2(2, 1) == 1 else { throw SystemError("dup2") }
  }

  /// Puts descriptor 1 back, for the process that takes this one's place.
  func restore() throws(SystemError) {
    guard dup2(output, 1) == 1 else { throw SystemError("dup2") }
  }

  /// Opens `/dev/null` where one of the first three descriptors is closed, lest the vault's file become one of them.
  private static func fillStandardDescriptors() throws(SystemError) {
    for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 {
      let flags = descriptor == 0 ? O_RDONLY : O_WRONLY
      guard unsafe open("/dev/null", flags) == descriptor else { throw SystemError("open /dev/null") }
    }
  }
}
