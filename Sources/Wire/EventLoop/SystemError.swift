import Glibc

/// A failed system call.
public struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the call, such as `eventfd`.
  public let call: String
  /// The error number (errno(3)).
  public let number: Int32

  /// Creates the error from `errno`.
  public init(_ call: String) {
    self.call = call
    number = errno
  }

  /// The call and the text of strerror(3).
  public var description: String {
    unsafe "\(call): \(String(cString: strerror(number)))"
  }
}
