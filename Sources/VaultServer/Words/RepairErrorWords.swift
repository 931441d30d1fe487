import VaultModel
import VaultSession

extension RepairError {
  /// The number on the wire.
  var code: Int {
    switch self {
    case .notPossible: 1654
    }
  }

  /// The stable name that `data.kind` carries.
  var kind: String {
    switch self {
    case .notPossible: "repair.notPossible"
    }
  }

  /// One sentence for a person.
  var words: Localized {
    switch self {
    case .notPossible:
      Localized(
        "The part that holds the key is lost; only a backup helps.", "存放密钥的部分已丢失，只能使用备份。")
    }
  }
}
