public import JSON
public import Identifiers
public import JSONRPC
import VaultModel

/// `attachment/export`: writes an attachment to a file (R23).
public struct AttachmentExport: RequestType {
  /// The method's name.
  public static let method = "attachment/export"

  /// The attachment.
  public var id: Identifier
  /// The file.
  public var path: String
  /// Whether it is written without its watermark, and what that asks for.
  public var original: OriginalRequest
  /// Whether GPS, XMP, IPTC and the like are left out.
  public var stripMetadata: Bool
  /// Whether a file of that name is replaced.
  public var overwrites: Bool
  /// Under which token progress is told; nil for not at all.
  public var progressToken: ProgressToken?

  /// Takes the parameters.
  public init(_ parameters: inout Parameters) throws(ParameterError) {
    id = try parameters.required("id")
    path = try parameters.required("path")
    original = try OriginalRequest(&parameters)
    stripMetadata = try parameters.optional("stripMetadata") ?? false
    overwrites = try parameters.optional("overwrite") ?? false
    progressToken = try parameters.optional("progressToken")
  }

  /// What was written.
  public struct Answer: JSONConvertible {
    /// The file, with `~` expanded.
    public var path: String
    /// How many bytes it has.
    public var size: Int

    /// An answer of the given parts.
    public init(path: String, size: Int) {
      self.path = path
      self.size = size
    }

    /// The answer on the wire.
    public var json: JSON {
      ["path": .string(path), "size": .integer(size)]
    }
  }
}
