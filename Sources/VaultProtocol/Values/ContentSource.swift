public import JSONRPC

/// Where the content that a request brings comes from: the parameter `path` or `data`.
public enum ContentSource: Sendable {
  /// A file.
  case path(String)
  /// The content itself in Base64.
  case data(String)

  /// Takes the one of the two parameters that is there.
  /// - Throws: ``ParameterError`` where there is none, or both.
  public init(_ parameters: inout Parameters) throws(ParameterError) {
    let path: String? = try parameters.optional("path")
    let data: String? = try parameters.optional("data")
    switch (path, data) {
    case (let path?, nil): self = .path(path)
    case (nil, let data?): self = .data(data)
    case (nil, nil): throw ParameterError("path", .presence)
    case (_?, _?): throw ParameterError("data", .absenceBeside("path"))
    }
  }
}
