import VaultInterface

/// What a short notification says was done (R19). The raw values are the notifications' kinds.
enum ActionEvent: String, CaseIterable {
  case created = "card.created"
  case updated = "card.updated"
  case pinned = "card.pinned"
  case unpinned = "card.unpinned"
  case deleted = "card.deleted"
  case restored = "card.restored"
  case reverted = "card.reverted"
  case copied = "card.copied"
  case backedUp = "vault.backedUp"
  case repaired = "vault.repaired"
  case merged = "vault.merged"
  /// A card that two machines had changed got a conflict copy.
  case conflict = "sync.conflict"
  /// Beside the vault that was unlocked are files with other states of it, such as one with what a damaged log had.
  case conflictFiles = "vault.conflictFiles"
  case foundIntact = "vault.foundIntact"
  /// The service ends, so that the next request starts the version that was installed.
  case programUpdated = "program.updated"
  case imported = "import.done"
  case written = "export.done"
  case attached = "attachment.added"
  case watermarkSet = "attachment.watermarkSet"
  case watermarkRemoved = "attachment.watermarkRemoved"
  case exported = "attachment.exported"
  case detached = "attachment.deleted"

  /// One sentence for the user.
  var message: Localized {
    switch self {
    case .created: Localized("Card saved.", "卡片已保存。")
    case .updated: Localized("Changes saved.", "修改已保存。")
    case .pinned: Localized("Card pinned.", "卡片已置顶。")
    case .unpinned: Localized("Card unpinned.", "卡片已取消置顶。")
    case .deleted: Localized("Card deleted.", "卡片已删除。")
    case .restored: Localized("Card restored.", "卡片已恢复。")
    case .reverted: Localized("The earlier version is back.", "已恢复为历史版本。")
    case .copied: Localized("Copied.", "已复制。")
    case .backedUp: Localized("Backup made.", "已备份。")
    case .merged: Localized("Merged.", "已合并。")
    case .conflict:
      Localized(
        "Two machines changed the same card. Both versions were kept.", "两台电脑修改了同一张卡片，两个版本都已保留。")
    case .conflictFiles:
      Localized(
        "Files beside the vault may have changes that are missing in it: see “qv status”, and merge them.",
        "保险库旁的文件中可能有尚未并入的修改：请用 qv status 查看并合并。")
    case .repaired: Localized("Vault repaired.", "保险库已修复。")
    case .programUpdated:
      Localized(
        "QuickVault was updated. The next command starts the new version.", "随取已更新，下一条命令将启动新版本。")
    case .foundIntact: Localized("The vault is not damaged.", "保险库没有损坏。")
    case .imported: Localized("Import finished.", "导入完成。")
    case .written: Localized("Export finished.", "导出完成。")
    case .attached: Localized("Attachment saved.", "附件已保存。")
    case .watermarkSet: Localized("Watermark saved.", "水印已保存。")
    case .watermarkRemoved: Localized("Watermark removed.", "水印已移除。")
    case .exported: Localized("Attachment exported.", "附件已导出。")
    case .detached: Localized("Attachment deleted.", "附件已删除。")
    }
  }
}

extension ShowMessage {
  /// The notification that something was done.
  init(_ event: ActionEvent, _ language: Language) {
    self.init(.information, kind: event.rawValue, message: event.message, language: language)
  }

  /// The notification that something failed.
  init(_ error: ErrorDescriptor, _ language: Language) {
    self.init(.error, kind: error.kind, message: error.message, language: language)
  }
}

/// The titles of long work in progress notifications.
enum WorkTitle {
  static let importing = Localized("Importing cards", "正在导入卡片")
  static let exporting = Localized("Exporting cards", "正在导出卡片")
  static let verifying = Localized("Checking every record", "正在检查所有记录")
  static let merging = Localized("Merging the other copy", "正在合并另一个副本")
  static let synchronizing = Localized("Synchronising", "正在同步")
  static let reencrypting = Localized("Encrypting everything with the new key", "正在用新密钥重新加密")
  static let backingUp = Localized("Copying the vault and checking the copy", "正在复制保险库并检查副本")
  static let readingPicture = Localized("Reading the picture", "正在读取图片")
  static let watermarking = Localized("Drawing the watermark", "正在添加水印")
}
