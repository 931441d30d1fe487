import VaultProtocol
import VaultSession

enum DeviceListHandler: Handler {
  static let access = Access.reading

  static func answer(_ request: DeviceList, _ context: SessionContext) throws -> Outcome<DeviceList.Answer> {
    Outcome(DeviceList.Answer(items: try context.session.devices()))
  }
}
