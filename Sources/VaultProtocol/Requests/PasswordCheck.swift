package import JSON
import VaultModel

/// `password/check`: whether a new password would be accepted, and whether it is easy to guess (R11). Works locked and
/// without a vault.
package struct PasswordCheck: VaultRequest {
  package static let method = "password/check"

  package var password: String

  package static let coder = ObjectCoder(Self.init, .required("password", \.password))

  package struct Response: ResultObject, Hashable {
    package var warnings: [IssueJSON]

    package init(warnings: [IssueJSON]) {
      self.warnings = warnings
    }

    package static let coder = ObjectCoder(Self.init, .required("warnings", \.warnings))
  }
}
