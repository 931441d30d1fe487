package import JSON
package import VaultModel

/// `tag/list`: every tag in use, the most used first.
package struct TagList: VaultRequest {
  package static let method = "tag/list"

  package static let coder = ObjectCoder(Self.init)

  package struct Response: ResultObject, Hashable {
    package var tags: [TagCount]

    package init(tags: [TagCount]) {
      self.tags = tags
    }

    package static let coder = ObjectCoder(Self.init, .required("tags", \.tags))
  }
}
