import VaultProtocol
import VaultSession

enum DeviceListHandler: Handler {
  static let access = Access.reading

  static func answer(_ request: DeviceList, _ context: SessionContext) throws -> Outcome<DeviceList.Response>
  {
    Outcome(DeviceList.Response(items: try context.session.devices()))
  }
}
