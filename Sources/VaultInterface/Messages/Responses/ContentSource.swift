package import Wire

/// The source of content, by the parameter `path` or `data`.
package enum ContentSource: JSONObject, Hashable {
  case path(String)
  /// The content in Base64.
  case data(String)

  /// Takes exactly one of the two parameters.
  package static let coder = ObjectCoder<Self>(
    read: { parameters throws(ParameterError) in
      let path: String? = try parameters.optional("path")
      let data: String? = try parameters.optional("data")
      switch (path, data) {
      case (let path?, nil): return .path(path)
      case (nil, let data?): return .data(data)
      case (nil, nil): throw ParameterError("path", .presence)
      case (_?, _?): throw ParameterError("data", .absenceWith("path"))
      }
    },
    write: { source, members in
      switch source {
      case .path(let path): members.append(.init("path", .string(path)))
      case .data(let data): members.append(.init("data", .string(data)))
      }
    })
}
