public import JSON
public import JSONRPC
public import VaultExchange

/// `vault/export`: writes cards to a file that is not encrypted, after the password once more.
public struct VaultExport: RequestType {
  /// The method's name.
  public static let method = "vault/export"

  /// Where the file is to be.
  public var path: String
  /// Its format.
  public var format: ExportFormat
  /// The master password.
  public var password: String
  /// Whether a file of that name is replaced.
  public var overwrites: Bool
  /// Which cards are wanted, as `card/search` understands it; nil for all.
  public var query: String?
  /// Whether attachments are written, where the format can hold them.
  public var includesAttachments: Bool
  /// Under which token progress is told; nil for not at all.
  public var progressToken: ProgressToken?

  /// Takes the parameters.
  public init(_ parameters: inout Parameters) throws(ParameterError) {
    path = try parameters.required("path")
    format = try parameters.required("format")
    password = try parameters.required("password")
    overwrites = try parameters.optional("overwrite") ?? false
    query = try parameters.optional("query")
    includesAttachments = try parameters.optional("attachments") ?? true
    progressToken = try parameters.optional("progressToken")
  }

  /// What was written.
  public struct Answer: JSONConvertible {
    /// Where the file is, with `~` expanded.
    public var path: String
    /// Its length in bytes.
    public var size: Int
    /// How many cards are in it.
    public var cards = 0
    /// How many attachments are in it.
    public var attachments = 0
    /// How many cards the format has no place for.
    public var cardsLeftOut = 0
    /// How many attachments of the cards in it are not.
    public var attachmentsLeftOut = 0
    /// How many cards do not open: the vault is damaged there.
    public var damaged = 0

    /// An answer about a file to which nothing was written yet.
    public init(path: String) {
      self.path = path
      size = 0
    }

    /// The answer on the wire.
    public var json: JSON {
      [
        "path": .string(path), "size": .integer(size), "cards": .integer(cards),
        "attachments": .integer(attachments), "cardsLeftOut": .integer(cardsLeftOut),
        "attachmentsLeftOut": .integer(attachmentsLeftOut), "damaged": .integer(damaged),
      ]
    }
  }
}
