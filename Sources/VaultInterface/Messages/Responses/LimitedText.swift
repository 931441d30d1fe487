import Wire

extension MemberCoder where Value == String {
  /// Refuses a text of more than a number of code points.
  func limited(_ name: String, to limit: Int) -> Self {
    checked(name, .atMost(limit)) { text in !text.isLonger(than: limit) }
  }
}

extension MemberCoder where Value == String? {
  /// Refuses a text of more than a number of code points.
  func limited(_ name: String, to limit: Int) -> Self {
    checked(name, .atMost(limit)) { text in !(text?.isLonger(than: limit) ?? false) }
  }
}
