import HelperProtocols
package import Wire

/// The catalogue of errors (R17). A new error is a row of the list of its area, and what throws it.
extension ErrorKind {
  /// All that a client can get, and those of `quickvault-carrier` and of editors.
  package static let all =
    rpc + vault + devices + cards + attachments + files + sync + CarrierError.kinds

  private static let byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

  /// Returns the row of a kind; nil for one that this program does not know.
  package static func named(_ name: String) -> ErrorKind? { byName[name] }

  init(
    _ name: String, _ code: Int, _ status: ExitStatus, _ english: String = "{reason}",
    _ chinese: String = "{reason}", isSilent: Bool = false, data: KeyValuePairs<String, String> = [:],
    reasons: KeyValuePairs<String, Text> = [:]
  ) {
    self.init(
      name, code, exitStatus: status.rawValue, english, chinese, isSilent: isSilent, data: data,
      reasons: reasons)
  }
}
