package import Wire

extension BoundDevice: ResultObject {
  package static let coder = ObjectCoder(
    Self.init, .required("id", \.id), .required("name", \.name), .required("createdAt", \.createdAt),
    .nullable("lastUsedAt", \.lastUsedAt), .required("thisDevice", \.isThisDevice))
}
