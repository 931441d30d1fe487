/// A parameter that is not what its method expects.
package struct ParameterError: Error, Sendable, Hashable {
  /// The path, such as `limit` or `extraFields[0].label`.
  package let parameter: String
  package let expectation: Expectation

  package init(_ parameter: String, _ expectation: Expectation) {
    self.parameter = parameter
    self.expectation = expectation
  }

  /// What was expected; the text of the message is up to the program.
  package enum Expectation: Sendable, Hashable {
    case string
    /// The URL of a server, with `https`.
    case url
    case boolean
    case integer
    /// An integer from one number to another, inclusive.
    case integerBetween(Int, Int)
    case object
    case array
    /// Bytes in Base64 (RFC 4648, section 4).
    case base64
    /// A UUID (RFC 9562).
    case identifier
    /// A progress token: a string or an integer.
    case token
    /// One of these words.
    case oneOf([String])
    /// It is required.
    case presence
    /// It is unknown.
    case absence
    /// It must be absent if the parameter with this name is present.
    case absenceWith(String)
    /// It must not be repeated.
    case once
    /// At most this many characters or elements.
    case atMost(Int)
  }
}
