/// A parameter that is not what its method expects, and what that is.
public struct ParameterError: Error, Sendable, Hashable {
  /// Where it stands, such as `limit` or `extraFields[0].label`.
  public let parameter: String
  /// What was expected there.
  public let expectation: Expectation

  /// A fault at a place.
  public init(_ parameter: String, _ expectation: Expectation) {
    self.parameter = parameter
    self.expectation = expectation
  }

  /// What a parameter should have been, for the program to put in words.
  public enum Expectation: Sendable, Hashable {
    case string
    case boolean
    case integer
    /// An integer from one number to another, both allowed.
    case integerBetween(Int, Int)
    case object
    case array
    /// Bytes in Base64 (RFC 4648, section 4).
    case base64
    /// A UUID (RFC 9562).
    case identifier
    /// A string or an integer, which names a piece of work whose progress is reported.
    case token
    /// One of these words.
    case oneOf([String])
    /// It must be given.
    case presence
    /// It must not be given: the method knows no such parameter.
    case absence
    /// It must not be given together with another.
    case absenceBeside(String)
    /// It must be given no more than once.
    case once
    /// There may be no more than so many.
    case atMost(Int)
  }
}
