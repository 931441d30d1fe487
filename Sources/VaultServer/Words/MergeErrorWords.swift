import VaultModel
import VaultSession

extension MergeError {
  /// The number on the wire.
  var code: Int {
    switch self {
    case .anotherVault: 1655
    case .sameFile: 1656
    case .damagedCopy: 1657
    }
  }

  /// The stable name that `data.kind` carries.
  var kind: String {
    switch self {
    case .anotherVault: "merge.anotherVault"
    case .sameFile: "merge.sameFile"
    case .damagedCopy: "merge.damagedCopy"
    }
  }

  /// One sentence for a person.
  var words: Localized {
    switch self {
    case .anotherVault: Localized("This is another vault, not a copy of this one.", "这是另一个保险库，不是此保险库的副本。")
    case .sameFile: Localized("This is the file of this vault itself.", "这就是此保险库自身的文件。")
    case .damagedCopy: Localized("The copy is damaged; repair it first.", "该副本已损坏，请先修复。")
    }
  }
}
