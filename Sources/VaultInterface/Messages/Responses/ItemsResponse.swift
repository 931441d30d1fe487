package import Wire

/// A list in an answer: an object with the one member `items`.
package struct ItemsResponse<Item: JSONCodable>: ResultObject {
  package var items: [Item]

  package init(items: [Item]) { self.items = items }

  package static var coder: ObjectCoder<Self> {
    ObjectCoder(Self.init, .required("items", \.items))
  }
}
