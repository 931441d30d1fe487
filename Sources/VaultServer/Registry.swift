/// Every method that is answered, by its name.
enum Registry {
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
    Method(VaultBackupHandler.self),
    Method(VaultRepairHandler.self),
    Method(VaultImportHandler.self),
    Method(VaultExportHandler.self),
    Method(VaultMergeHandler.self),
    Method(SessionUnlockHandler.self),
    Method(SessionLockHandler.self),
    Method(TemplateListHandler.self),
    Method(CardCreateHandler.self),
    Method(CardGetHandler.self),
    Method(CardUpdateHandler.self),
    Method(CardDeleteHandler.self),
    Method(CardSetPinnedHandler.self),
    Method(CardListHandler.self),
    Method(CardSearchHandler.self),
    Method(CardCopyHandler.self),
    Method(TagListHandler.self),
    Method(SettingsGetHandler.self),
    Method(SettingsUpdateHandler.self),
    Method(BiometricStatusHandler.self),
    Method(BiometricEnableHandler.self),
    Method(BiometricDisableHandler.self),
    Method(DeviceListHandler.self),
    Method(DeviceRevokeHandler.self),
    Method(LogListHandler.self),
  ]
}
