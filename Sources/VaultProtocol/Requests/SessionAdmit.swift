package import JSON
import JSONRPC

/// `session/admit`, from the server to an admitted client: asks its user whether a program may use the unlocked vault (U).
///
/// A client gets it if it has said `capabilities: {"sessionAdmit": true}` in `initialize`.
package struct SessionAdmit: RequestType, OutgoingRequest, JSONObject, Hashable {
  package static let method = "session/admit"

  package var program: ClientProgram
  /// The question in the client's language, and in both.
  package var message: LocalizedMessage

  package init(program: ClientProgram, message: LocalizedMessage) {
    (self.program, self.message) = (program, message)
  }

  package static let coder = ObjectCoder(Self.init, .required("program", \.program), .members(\.message))

  package struct Response: JSONObject, Hashable {
    package var isAllowed: Bool

    package static let coder = ObjectCoder(Self.init, .required("allow", \.isAllowed))
  }

  package var parameters: JSON? { json }
}
