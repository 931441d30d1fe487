public import JSON
public import JSONRPC
public import VaultModel

/// `vault/backup`: copies the vault to a file of its own, and checks the copy.
public struct VaultBackup: RequestType {
  /// The method's name.
  public static let method = "vault/backup"
  /// How many backups there can be to keep.
  public static let keepRange = 1...1_000

  /// A directory, or the backup's own path.
  public var path: String
  /// How many backups of this vault stay in the directory; nil for all.
  public var keep: Int?
  /// Whether a file under the backup's own path is replaced.
  public var overwrites: Bool
  /// Under which token progress is told; nil for not at all.
  public var progressToken: ProgressToken?

  /// Takes the parameters.
  public init(_ parameters: inout Parameters) throws(ParameterError) {
    path = try parameters.required("path")
    keep = try parameters.integer("keep", in: Self.keepRange)
    overwrites = try parameters.optional("overwrite") ?? false
    progressToken = try parameters.optional("progressToken")
  }

  /// The backup that was made.
  public struct Answer: JSONConvertible {
    /// Where it is, absolute.
    public var path: String
    /// How long it is, in bytes.
    public var size: Int
    /// How many cards are in it.
    public var cards: Int
    /// How many attachments are in it.
    public var attachments: Int
    /// The state of the copy.
    public var integrity: Integrity
    /// The older backups that gave way to it, absolute, oldest first.
    public var removed: [String]

    /// An answer of the given parts.
    public init(
      path: String, size: Int, cards: Int, attachments: Int, integrity: Integrity, removed: [String]
    ) {
      self.path = path
      self.size = size
      self.cards = cards
      self.attachments = attachments
      self.integrity = integrity
      self.removed = removed
    }

    /// The answer on the wire.
    public var json: JSON {
      [
        "path": .string(path),
        "size": .integer(size),
        "cards": .integer(cards),
        "attachments": .integer(attachments),
        "integrity": integrity.json,
        "removed": .array(removed.map { .string($0) }),
      ]
    }
  }
}
