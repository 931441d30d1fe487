/// A file beside a vault that holds another state of it: what a program that carries folders kept of two that were
/// changed, or what QuickVault saved when such a program replaced an open file.
public struct ConflictFile: Sendable, Hashable {
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A complete vault, which can be merged.
    case copy
    /// A log whose database is missing.
    case log
  }

  /// The maximum number of files that are reported.
  public static let limit = 100

  public var path: String
  public var kind: Kind

  public init(path: String, kind: Kind) { (self.path, self.kind) = (path, kind) }
}
