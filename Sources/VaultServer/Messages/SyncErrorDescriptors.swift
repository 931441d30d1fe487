import VaultModel
import VaultSync

extension SyncError: ApplicationError {
  var descriptor: ErrorDescriptor {
    switch self {
    case .notEnabled: .init(1751, "sync.notEnabled", "The vault is not synchronised.", "此保险库未开启同步。")
    case .alreadyEnabled:
      .init(1752, "sync.alreadyEnabled", "The vault is already synchronised.", "此保险库已开启同步。")
    case .noVault:
      .init(1753, "sync.noVault", "This folder contains no vault to join.", "该文件夹中没有可以加入的保险库。")
    case .wrongPassword:
      .init(
        1754, "sync.wrongPassword", "This password does not open a vault in the folder.", "该密码打不开文件夹中的保险库。")
    case .newKey:
      .init(
        1757, "sync.newKey",
        "Another machine has changed the vault's key. Enter the new password to continue synchronising.",
        "另一台电脑已更换密钥，请输入新密码以继续同步。")
    case .samePassword:
      .init(1758, "sync.samePassword", "The new password must differ from the old one.", "新密码与旧密码相同。")
    case .vaultInFolder:
      .init(
        1759, "sync.vaultInFolder",
        "The vault's file is in this folder. Choose a folder that does not contain it.",
        "保险库文件就在这个文件夹里，请选择不包含它的文件夹。")
    case .folderNotFound:
      .init(
        1760, "sync.folderNotFound",
        "The folder cannot be reached. If it is on a removable medium or a server, connect that first.",
        "无法访问该文件夹。如果它在可移动介质或服务器上，请先连接。")
    case .notAFolder: .init(1761, "sync.notAFolder", "This is not a folder.", "这不是文件夹。")
    case .ownReplica: .init(1755, "sync.ownReplica", "This is the machine that you are using.", "这就是本机。")
    case .unknownReplica: .init(1756, "sync.unknownReplica", "There is no such machine.", "没有这台电脑。")
    }
  }
}

extension SyncProblem {
  /// One sentence for the user.
  var message: Localized {
    switch self {
    case .missing:
      Localized("A file is missing. It may still be on its way.", "缺少文件，可能还在传送中。")
    case .unreadable:
      Localized(
        "A file cannot be read, or is damaged or incomplete; it was not applied.", "有文件无法读取、损坏或不完整，未予应用。")
    case .replaced:
      Localized(
        "A file was replaced by another one, which was not applied.", "有文件与之前不同，未予应用。")
    case .contentMissing: Localized("An attachment has not arrived yet.", "有附件尚未到达。")
    }
  }
}
