extension Card {
  /// The card with the numbers of its template as digits only: without what groups them, and full width as half width.
  ///
  /// China's code in front of a phone number goes, too, since shops and couriers in China take none; an extension stays, behind
  /// a dash. A value that is no such number stays as it is.
  public var withPlainNumbers: Card {
    var card = self
    for (field, value) in orderedFields {
      switch field.shape {
      case .text: continue
      case .phone(let isService): card.fields[field.key] = PhoneNumber.plain(value, allowsService: isService)
      case .taxId, .number: card.fields[field.key] = value.withoutGrouping ?? value
      }
    }
    return card
  }
}

extension String {
  /// The letters and digits of a number, those of full width as ASCII; nil for a text that has anything but these and what
  /// groups them.
  fileprivate var withoutGrouping: String? {
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars where !GroupedNumber.isGrouping(scalar) {
      let isFullWidth = ("！"..."～").contains(scalar)
      guard let narrow = isFullWidth ? Unicode.Scalar(scalar.value - 0xFEE0) : scalar,
        GroupedNumber.isElement(narrow.value | 0x20)
      else { return nil }
      result.append(narrow)
    }
    return String(result)
  }
}
