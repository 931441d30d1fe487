import CResources
import VaultInterface
import Wire

/// What the names of columns mean, in both languages and as programs decorate them.
enum ColumnName {
  /// The target of a column by its name; nil if the name is not known.
  static func target(_ name: String) -> ColumnTarget? {
    let plain = plain(name)
    if let target = targets[plain] ?? extras[plain.filter { !$0.isNumber }] { return target }
    // 1Password: the label, and the kind in brackets.
    if name.trimmed.hasSuffix(")"), let bracket = name.lastIndex(of: "("),
      name[..<bracket].contains(where: \.isLetter),
      let target = secretKinds[self.plain(String(name[bracket...]))]
    {
      return target
    }
    if SecretName.isSecret(name) { return nil }
    if let target = numbered(name) { return target }
    return withoutPrefix(plain)
  }

  /// A name in lower case and without separators.
  static func plain(_ name: String) -> String {
    let kept = name.lowercased().unicodeScalars.filter {
      !" _-*:：（）()/.\u{3000}\u{FEFF}".unicodeScalars.contains($0)
    }
    return String(String.UnicodeScalarView(kept))
  }

  /// How many of some names are known.
  static func knownCount(_ names: [String]) -> Int {
    names.count {
      target($0) != nil || ColumnTarget($0.trimmed) != nil
        || !$0.contains(where: \.isNumber) && SecretName.isSecret($0)
    }
  }

  private static let secretKinds: [String: ColumnTarget] = [
    "password": .password, "username": .userName, "otp": .oneTimePassword, "totp": .oneTimePassword,
  ]

  /// Google's: `Phone 1 - Value`, `Address 1 - City`, `Phone 1 - Label`.
  private static func numbered(_ name: String) -> ColumnTarget? {
    let sides = name.split(separator: " - ", maxSplits: 1).map(String.init)
    guard sides.count == 2 else { return nil }
    let kind = plain(sides[0].filter { !$0.isNumber })
    switch plain(sides[1]) {
    case "value", "name": return targets[kind] ?? withoutPrefix(kind)
    case "label", "type", "formatted": return .extra(name.trimmed, concealed: false)
    default: return kind == "address" ? part(plain(sides[1])) : nil
    }
  }

  /// Which of several addresses a column belongs to: what its name has before the part.
  static func addressOwner(_ name: String) -> String {
    let sides = name.split(separator: " - ", maxSplits: 1)
    if sides.count == 2 { return String(sides[0]) }
    let plain = plain(name)
    return targets[plain] == nil ? owners.first(where: plain.hasPrefix) ?? "" : ""
  }

  /// Whose value it is, before what it is: 收件人手机, Home City, 住宅地址 市/县.
  private static func withoutPrefix(_ plain: String) -> ColumnTarget? {
    for prefix in owners where plain.hasPrefix(prefix) && plain.count > prefix.count {
      let rest = String(plain.dropFirst(prefix.count))
      if let target = part(rest) ?? (rest == "姓名" ? .field("name") : nil) { return target }
      if rest.hasPrefix("地址"), let target = part(String(rest.dropFirst(2))) { return target }
    }
    return nil
  }

  /// A part of an address or a way to reach somebody.
  private static func part(_ plain: String) -> ColumnTarget? {
    if let target = addressParts[plain] { return target }
    switch targets[plain] {
    case .field(let key)? where key != "text": return .field(key)
    case .website?: return .website
    default: return nil
    }
  }

  private static let owners = [
    "收件人", "收货人", "寄件人", "发件人", "联系人", "收件", "收货", "购买方", "购货方", "购方", "销售方", "客户", "会员", "商务", "住宅", "家庭",
    "单位", "公司", "开票", "发票", "其他", "主要", "个人", "home", "work", "business", "other", "primary", "company",
    "mailing", "shipping", "billing", "recipient", "contact",
  ]

  private static let addressParts: [String: ColumnTarget] = [
    "市县": .field("city"), "省市自治区": .field("province"), "region": .field("province"),
    "state": .field("province"),
    "postalcode": .field("postalCode"), "邮政编码": .field("postalCode"), "extendedaddress": .extendedAddress,
    "address2": .extendedAddress, "street2": .extendedAddress,
    "街道": .field("address"), "street": .field("address"), "address": .field("address"), "": .field("address"),
  ]

  /// Usual names of columns, in both languages.
  private static let targets: [String: ColumnTarget] = {
    var targets: [String: ColumnTarget] = [:]
    for template in CardTemplate.all {
      for field in template.fields {
        for name in [field.key, field.label.english, field.label.simplifiedChinese] {
          targets[plain(name)] = .field(field.key)
        }
      }
    }
    for (target, names) in synonyms {
      for name in names { targets[name] = target }
    }
    return targets
  }()

  /// The names of what becomes an extra field, which may be numbered.
  private static let extras = targets.filter { $0.value.isExtra }

  /// Other names of targets; what has no target of its own becomes an extra field.
  private static let synonyms = unsafe String(
    resource: quickvault_column_names(), quickvault_column_names_count()
  )
  .split(separator: "\n").map { line in
    let words = line.split(separator: " ").map(String.init)
    let target = words.first.flatMap { ColumnTarget(String($0.dropLast())) }
    return (target ?? .extra("", concealed: false), words.dropFirst())
  }

  // MARK: Columns without names

  /// The target of a column by its values; nil if they do not tell.
  static func target(ofValues values: [String], isFirst: Bool) -> ColumnTarget? {
    guard !values.isEmpty else { return nil }
    if values.allSatisfy({ $0.lowercased().hasPrefix("http://") || $0.lowercased().hasPrefix("https://") }) {
      return .website
    }
    if values.allSatisfy({ PhoneNumber.isValid($0) }) { return .field("phone") }
    if values.allSatisfy({ !RegionalAddress(street: $0).province.isEmpty }) { return .field("address") }
    return isFirst && !values.contains { $0.contains(where: \.isNumber) } ? .title : nil
  }
}
