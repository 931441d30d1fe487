import VaultModel
import VaultSession

extension BackupError {
  var descriptor: ErrorDescriptor {
    switch self {
    case .notVerified:
      .init(
        1651, "backup.notVerified",
        "The written copy does not match the vault; no backup was made.", "写入的内容与保险库不符，未生成备份。")
    case .needsDirectory:
      .init(
        1652, "backup.needsDirectory", "To keep a number of backups, give a directory, not a file.",
        "只有备份到目录时，才能指定保留的份数。")
    case .inUse: .init(1653, "backup.inUse", "A vault with this name is in use.", "同名的保险库正在使用中。")
    }
  }
}

extension RepairError {
  var descriptor: ErrorDescriptor {
    switch self {
    case .notPossible:
      .init(
        1654, "repair.notPossible",
        "The part that contains the key is lost; restore a backup.", "存放密钥的部分已丢失，只能从备份恢复。")
    }
  }
}

extension MergeError {
  var descriptor: ErrorDescriptor {
    switch self {
    case .anotherVault:
      .init(
        1655, "merge.anotherVault", "This is another vault, not a copy of this one.", "这是另一个保险库，不是此保险库的副本。")
    case .sameFile: .init(1656, "merge.sameFile", "This is the vault's own file.", "这就是此保险库自身的文件。")
    case .damagedCopy:
      .init(1657, "merge.damagedCopy", "The copy is damaged; repair it first.", "该副本已损坏，请先修复。")
    case .passwordRequired:
      .init(
        1658, "merge.passwordRequired", "This vault's key does not open the copy. Enter the copy's password.",
        "此保险库的密钥打不开该副本，请输入该副本的密码。")
    case .otherKey:
      .init(
        1659, "merge.otherKey",
        "The vault's key was changed after one of the two copies was made. Export the other copy, and import that file.",
        "其中一个副本生成之后，保险库更换过密钥。请导出另一个副本，再导入导出的文件。")
    }
  }
}
