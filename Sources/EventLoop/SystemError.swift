import Glibc

/// A call to the operating system that failed.
public struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The call, such as `eventfd`.
  public let call: String
  /// Its error number (errno(3)).
  public let number: Int32

  /// The failure of a call, with the number that it has just left behind.
  public init(_ call: String) {
    self.call = call
    number = errno
  }

  /// The call and what the system says of the number.
  public var description: String {
    unsafe "\(call): \(String(cString: strerror(number)))"
  }
}
