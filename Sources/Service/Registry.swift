/// All methods by name. The files in `Handlers` have them by area.
enum Registry {
  /// The vault's own methods, which `protocol/openrpc.json` describes.
  static let methods = byName(
    [
      sessions, vaults, files, exports, syncs, accounts, clients, lists, cards, agents, drafts, forms,
      attachments,
      settings,
      devices,
    ].flatMap(\.self))

  /// The methods of the Language Server Protocol, for editors that speak it.
  static let languageServer = byName(editors)

  private static func byName(_ methods: [Method]) -> [String: Method] {
    Dictionary(methods.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }
}
