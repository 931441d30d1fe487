package import Wire

/// The description of a demo vault for clients.
package struct DemoDescription: ResultObject, Hashable {
  /// The vault's password; nil if the user chose one.
  package var password: String?

  package init(password: String?) { self.password = password }

  package static let coder = ObjectCoder(Self.init(password:), .nullable("password", \.password))
}
