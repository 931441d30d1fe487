/// A text in both languages.
package struct CarrierText: Sendable {
  package let english: String
  package let chinese: String

  package init(_ english: String, _ chinese: String) {
    (self.english, self.chinese) = (english, chinese)
  }

  /// The text in a language.
  package func text(inChinese: Bool) -> String { inChinese ? chinese : english }
}
