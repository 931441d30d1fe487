import VaultModel
import VaultSession

extension BackupError {
  /// The number on the wire.
  var code: Int {
    switch self {
    case .notVerified: 1651
    case .needsDirectory: 1652
    case .inUse: 1653
    }
  }

  /// The stable name that `data.kind` carries.
  var kind: String {
    switch self {
    case .notVerified: "backup.notVerified"
    case .needsDirectory: "backup.needsDirectory"
    case .inUse: "backup.inUse"
    }
  }

  /// One sentence for a person.
  var words: Localized {
    switch self {
    case .notVerified:
      Localized(
        "What was written is not what the vault holds; no backup was made.", "写入的内容与保险库不符，未生成备份。")
    case .needsDirectory:
      Localized("Old backups are counted in a directory: give one.", "只有备份到目录时才能保留指定数量。")
    case .inUse: Localized("A vault is in use under this name.", "该名称的保险库正在使用。")
    }
  }
}
