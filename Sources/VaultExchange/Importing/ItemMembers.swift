import Wire

/// The members of an item of another program's JSON, which are taken one after another; what is left is known too.
struct ItemMembers {
  private(set) var json: JSON

  init(_ json: JSON) {
    self.json = json
  }

  /// Takes a text, number or truth value; empty if there is none.
  mutating func text(_ name: String) -> String {
    switch take(name) {
    case .string(let text)?: text
    case .number(let number)?: number.text
    case .bool(true)?: "true"
    case .bool(false)?: "false"
    default: ""
    }
  }

  /// Takes the elements of a list; none if it is no list.
  mutating func list(_ name: String) -> [JSON] {
    guard case .array(let elements)? = take(name) else { return [] }
    return elements
  }

  /// Takes an object; an empty one if there is none.
  mutating func object(_ name: String) -> ItemMembers {
    guard let value = take(name), case .object = value else { return ItemMembers(.object([])) }
    return ItemMembers(value)
  }

  /// Takes whether something is so: true, or a number above 0.
  mutating func flag(_ name: String) -> Bool {
    switch take(name) {
    case .bool(let value)?: value
    case .number(let number)?: number.text != "0"
    default: false
    }
  }

  mutating func drop(_ names: String...) {
    for name in names { _ = take(name) }
  }

  private mutating func take(_ name: String) -> JSON? {
    guard case .object(var members) = json, let place = members.firstIndex(where: { $0.name == name }) else {
      return nil
    }
    let value = members.remove(at: place).value
    json = .object(members)
    return value
  }

  /// Everything that was not taken.
  var leaves: [JSONLeaf] { JSONLeaf.all(of: json) }
}
