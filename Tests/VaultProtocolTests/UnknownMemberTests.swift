import Testing
import VaultInterface
import Wire

@Suite("Unknown members") struct UnknownMemberTests {
  @Test("A client skips what a newer server adds")
  func notification() throws {
    #expect(try SessionDidLock.read(["reason": "sleep", "since": 3], at: "params").reason == .sleep)
  }

  @Test("The server refuses what it does not know")
  func request() {
    #expect(throws: ParameterError("id2", .absence)) {
      try DeviceRevoke.read(["id": "7c20e5ab-91f4-4d36-a8c7-5b1e0f2d9346", "id2": 1])
    }
  }
}
