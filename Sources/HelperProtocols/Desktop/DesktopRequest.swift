package import Wire

/// A request to `quickvault-desktop`.
package protocol DesktopRequest: RequestType, OutgoingRequest, JSONObject where Response: JSONCodable {}

extension DesktopRequest {
  package var parameters: JSON? { json }
}

extension MemberCoder where Value == Int {
  /// The time limit, in seconds.
  static func timeout(_ get: @escaping Getter<Int>, default seconds: Int) -> Self {
    .integer("timeoutSeconds", get, in: 1...300, default: seconds)
  }
}
