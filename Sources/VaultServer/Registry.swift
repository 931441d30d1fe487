/// All methods by name.
enum Registry {
  /// The vault's own methods, which `protocol/openrpc.json` describes.
  static let methods: [String: Method] = Dictionary(
    all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

  private static let all = [
    Method(InitializeHandler.self),
    Method(DiscoverHandler.self),
    Method(VaultStatusHandler.self),
    Method(VaultCreateHandler.self),
    Method(VaultChangePasswordHandler.self),
    Method(VaultDeleteHandler.self),
    Method(VaultVerifyHandler.self),
    Method(VaultAcceptOlderHandler.self),
    Method(VaultBackupHandler.self),
    Method(VaultRepairHandler.self),
    Method(VaultImportHandler.self),
    Method(VaultExportHandler.self),
    Method(VaultMergeHandler.self),
    Method(SyncStatusHandler.self),
    Method(SyncEnableHandler.self),
    Method(SyncJoinHandler.self),
    Method(SyncNowHandler.self),
    Method(SyncDisableHandler.self),
    Method(SyncForgetHandler.self),
    Method(SyncRejoinHandler.self),
    Method(VaultRekeyHandler.self),
    Method(AccountSignInHandler.self),
    Method(AccountStatusHandler.self),
    Method(AccountSignOutHandler.self),
    Method(AccountProvidersHandler.self),
    Method(AccountDeleteDataHandler.self),
    Method(PasswordCheckHandler.self),
    Method(SessionUnlockHandler.self),
    Method(SessionLockHandler.self),
    Method(ClientListHandler.self),
    Method(ClientRequestConsentHandler.self),
    Method(ClientRevokeHandler.self),
    Method(TemplateListHandler.self),
    Method(CardCreateHandler.self),
    Method(CardGetHandler.self),
    Method(CardUpdateHandler.self),
    Method(CardDeleteHandler.self),
    Method(CardRestoreHandler.self),
    Method(CardSetPinnedHandler.self),
    Method(CardListHandler.self),
    Method(CardResolveHandler.self),
    Method(CardSearchHandler.self),
    Method(CardConflictsHandler.self),
    Method(CardCopyHandler.self),
    Method(TagListHandler.self),
    Method(DraftPutHandler.self),
    Method(DraftGetHandler.self),
    Method(DraftDiscardHandler.self),
    Method(AttachmentAddHandler.self),
    Method(AttachmentListHandler.self),
    Method(AttachmentGetHandler.self),
    Method(AttachmentThumbnailHandler.self),
    Method(AttachmentExportHandler.self),
    Method(AttachmentSetWatermarkHandler.self),
    Method(AttachmentDeleteHandler.self),
    Method(SettingsGetHandler.self),
    Method(SettingsUpdateHandler.self),
    Method(BiometricStatusHandler.self),
    Method(BiometricEnableHandler.self),
    Method(BiometricDisableHandler.self),
    Method(DeviceListHandler.self),
    Method(DeviceRevokeHandler.self),
    Method(LogListHandler.self),
  ]

  /// The methods of the Language Server Protocol, for editors that speak it.
  static let languageServer: [String: Method] = Dictionary(
    [Method(CompletionHandler.self), Method(CodeActionHandler.self), Method(ExecuteCommandHandler.self)].map {
      ($0.name, $0)
    }, uniquingKeysWith: { first, _ in first })
}
