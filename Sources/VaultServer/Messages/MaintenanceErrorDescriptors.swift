import VaultModel
import VaultSession

extension BackupError {
  var descriptor: ErrorDescriptor {
    switch self {
    case .notVerified:
      .init(
        1651, "backup.notVerified",
        "What was written is not what the vault holds; no backup was made.", "写入的内容与保险库不符，未生成备份。")
    case .needsDirectory:
      .init(
        1652, "backup.needsDirectory", "Old backups are counted in a directory: give one.",
        "只有备份到目录时才能保留指定数量。")
    case .inUse: .init(1653, "backup.inUse", "A vault is in use under this name.", "该名称的保险库正在使用。")
    }
  }
}

extension RepairError {
  var descriptor: ErrorDescriptor {
    switch self {
    case .notPossible:
      .init(
        1654, "repair.notPossible",
        "The part that holds the key is lost; only a backup helps.", "存放密钥的部分已丢失，只能使用备份。")
    }
  }
}

extension MergeError {
  var descriptor: ErrorDescriptor {
    switch self {
    case .anotherVault:
      .init(
        1655, "merge.anotherVault", "This is another vault, not a copy of this one.", "这是另一个保险库，不是此保险库的副本。")
    case .sameFile: .init(1656, "merge.sameFile", "This is the file of this vault itself.", "这就是此保险库自身的文件。")
    case .damagedCopy:
      .init(1657, "merge.damagedCopy", "The copy is damaged; repair it first.", "该副本已损坏，请先修复。")
    }
  }
}
