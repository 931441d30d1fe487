/// A row of the catalogue of errors (R17): what the programs know of one kind, beside the values of one error.
///
/// A text can have places in braces, such as `{limit}`. An ellipsis, as in `{name…}`, shortens a long value there.
package struct ErrorKind: Sendable {
  /// A text in English and in Simplified Chinese.
  package typealias Text = (english: String, chinese: String)

  /// The stable name, which is `data.kind` on the wire.
  package let name: String
  /// The number on the wire, which is never given to another error.
  package let code: Int
  /// The exit status of `qv`.
  package let exitStatus: Int32
  /// Whether only the answer carries it, without a notification to show.
  package let isSilent: Bool
  /// The members of the error's data beyond kind and messages, with their types as `protocol/interface` writes them.
  package let data: KeyValuePairs<String, String>
  /// Parts of the text that depend on the reason, for the place `{reason}`; that of the name "" is for all others.
  package let reasons: KeyValuePairs<String, Text>
  private let text: Text

  package init(
    _ name: String, _ code: Int, exitStatus: Int32 = 1, _ english: String = "{reason}",
    _ chinese: String = "{reason}", isSilent: Bool = false, data: KeyValuePairs<String, String> = [:],
    reasons: KeyValuePairs<String, Text> = [:]
  ) {
    (self.name, self.code, self.exitStatus, self.isSilent) = (name, code, exitStatus, isSilent)
    (self.data, self.reasons, text) = (data, reasons, (english, chinese))
  }

  /// Returns one sentence for the user.
  ///
  /// - Parameter words: the values for the places of the text.
  package func message(reason: String?, _ words: [String: Text]) -> Text {
    let reason = (reasons.first { $0.key == reason } ?? reasons.first { $0.key.isEmpty })?.value
    let message = reason.map { Self.filled(text, ["reason": $0]) } ?? text
    return Self.filled(message, words)
  }

  private static func filled(_ text: Text, _ words: [String: Text]) -> Text {
    (filled(text.english, words.mapValues(\.english)), filled(text.chinese, words.mapValues(\.chinese)))
  }

  private static func filled(_ text: String, _ words: [String: String]) -> String {
    var (result, rest) = ("", text[...])
    while let start = rest.utf8.firstIndex(of: UInt8(ascii: "{")),
      let end = rest[start...].utf8.firstIndex(of: UInt8(ascii: "}"))
    {
      let place = rest[rest.utf8.index(after: start)..<end]
      let isShortened = place.last == "…"
      let word = words[String(isShortened ? place.dropLast() : place)]
      result += rest[..<start] + (word.map { isShortened ? shortened($0) : $0 } ?? "{\(place)}")
      rest = rest[rest.utf8.index(after: end)...]
    }
    return result + rest
  }

  private static func shortened(_ text: String) -> String {
    let limit = 80
    return text.unicodeScalars.count > limit ? String(text.prefix(limit)) + "…" : text
  }

  /// The name of an enumeration's case, without its values.
  package static func caseName(_ value: Any) -> String {
    Mirror(reflecting: value).children.first?.label ?? "\(value)"
  }
}
