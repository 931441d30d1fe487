import JSON
public import JSONRPC
public import VaultExchange
public import VaultModel

extension ImportFormat: ParameterValue {}
extension ExportFormat: ParameterValue {}

/// `vault/import`: stores the cards of a file that another program, or QuickVault, wrote.
public struct VaultImport: RequestType {
  /// The method's name.
  public static let method = "vault/import"
  /// What was done, entry by entry.
  public typealias Answer = ImportReport.Localized

  /// What an entry that cannot be stored means for the others.
  public enum FaultPolicy: String, Sendable, CaseIterable, ParameterValue {
    /// Nothing is stored.
    case refuse
    /// The others are stored.
    case skip
  }

  /// What becomes of an entry whose content the vault has already.
  public enum DuplicatePolicy: String, Sendable, CaseIterable, ParameterValue {
    /// It is not stored.
    case skip
    /// It is stored all the same.
    case keep
  }

  /// Where the file's content comes from.
  public var source: ContentSource
  /// The format; nil to go by the content.
  public var format: ImportFormat?
  /// What becomes of columns, by their names.
  public var mapping: [String: String]
  /// The type of cards of a table that names none; nil to go by their values.
  public var type: CardType?
  /// The group of cards that the file gives none.
  public var group: CardGroup
  /// Whether nothing is stored and the report alone is wanted.
  public var isDryRun: Bool
  /// What an entry that cannot be stored means for the others.
  public var onError: FaultPolicy
  /// What becomes of an entry whose content the vault has already.
  public var duplicates: DuplicatePolicy
  /// Under which token progress is told; nil for not at all.
  public var progressToken: ProgressToken?

  /// Takes the parameters.
  public init(_ parameters: inout Parameters) throws(ParameterError) {
    source = try ContentSource(&parameters)
    format = try parameters.optional("format")
    let mapping: ColumnTargets? = try parameters.optional("mapping")
    self.mapping = mapping?.targets ?? [:]
    type = try parameters.optional("type")
    group = try parameters.optional("group") ?? .personal
    isDryRun = try parameters.optional("dryRun") ?? false
    onError = try parameters.optional("onError") ?? .refuse
    duplicates = try parameters.optional("duplicates") ?? .skip
    progressToken = try parameters.optional("progressToken")
  }

  /// How the file is to be understood.
  /// - Parameter language: that of the labels that cards are given.
  public func options(in language: Language) -> ImportOptions {
    ImportOptions(format: format, mapping: mapping, type: type, group: group, language: language)
  }
}

/// What becomes of columns: targets by name.
private struct ColumnTargets: ParameterValue {
  var targets: [String: String] = [:]

  static func read(_ value: JSON, at path: String) throws(ParameterError) -> ColumnTargets {
    // Parameters refuses a column that comes twice.
    _ = try Parameters(value, at: path)
    guard case .object(let members) = value else { throw ParameterError(path, .object) }
    var result = ColumnTargets()
    for member in members {
      result.targets[member.name] = try String.read(member.value, at: "\(path).\(member.name)")
    }
    return result
  }
}
