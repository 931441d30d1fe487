package import Identifiers
package import JSON

/// `attachment/export`: writes an attachment to a file (R23).
package struct AttachmentExport: VaultRequest {
  package static let method = "attachment/export"

  package var id: Identifier
  package var path: String
  package var original: OriginalRequest
  /// Whether GPS, XMP, IPTC and the like are removed.
  package var stripMetadata: Bool
  /// Whether an existing file is replaced.
  package var overwrites: Bool
  /// The token for progress notifications; nil sends none.
  package var progressToken: ProgressToken?

  package static let coder = ObjectCoder(
    Self.init, .required("id", \.id), .required("path", \.path), .members(\.original),
    .member("stripMetadata", \.stripMetadata, default: false),
    .member("overwrite", \.overwrites, default: false), .optional("progressToken", \.progressToken))

  package struct Response: ResultObject, Hashable {
    /// The path of the file, with `~` expanded.
    package var path: String
    /// In bytes.
    package var size: Int

    package init(path: String, size: Int) {
      self.path = path
      self.size = size
    }

    package static let coder = ObjectCoder(Self.init, .required("path", \.path), .required("size", \.size))
  }
}
