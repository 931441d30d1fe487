/// The credentials of a request.
///
/// The secret is in the memory of this process and of libcurl, never in an argument, the environment, a log or an error.
package enum Credentials: Sendable {
  /// HTTP Basic authentication (RFC 7617), such as with an app password.
  case password(user: String, password: String)
  /// An access token (RFC 6750).
  case token(String)
}

extension Credentials: CustomStringConvertible, CustomReflectable {
  /// The kind and nothing else.
  package var description: String { "Credentials" }

  /// A mirror without children.
  package var customMirror: Mirror { Mirror(self, children: []) }
}
