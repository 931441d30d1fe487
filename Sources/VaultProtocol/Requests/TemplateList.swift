package import JSON
package import VaultModel

/// `template/list`: the types of cards with their fields, labelled in both languages. Works locked.
package struct TemplateList: VaultRequest {
  package static let method = "template/list"

  package static let coder = ObjectCoder(Self.init)

  package struct Response: ResultObject, Hashable {
    package var templates: [CardTemplate]

    package init(templates: [CardTemplate]) {
      self.templates = templates
    }

    package static let coder = ObjectCoder(Self.init, .required("templates", \.templates))
  }
}
