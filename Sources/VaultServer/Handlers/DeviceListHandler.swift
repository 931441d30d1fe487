import VaultProtocol
import VaultSession

enum DeviceListHandler: Handler {
  static func answer(
    _ request: DeviceList, in conversation: isolated Conversation
  ) async throws -> Outcome<DeviceList.Answer> {
    Outcome(DeviceList.Answer(items: try conversation.session.devices().map(BoundDeviceJSON.init)))
  }
}
