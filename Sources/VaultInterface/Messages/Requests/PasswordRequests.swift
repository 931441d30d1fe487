package import Wire

/// `password/generate`: a random password. Works locked and without a vault; nothing is stored.
package struct PasswordGenerate: VaultRequest {
  package static let method = "password/generate"

  package var recipe: PasswordRecipe

  package init(recipe: PasswordRecipe) { self.recipe = recipe }

  package static let coder = ObjectCoder<Self>(
    read: { parameters throws(ParameterError) in
      let words = try parameters.integer("words", in: PasswordRecipe.wordCounts)
      let length = try parameters.integer("length", in: PasswordRecipe.lengths)
      let kinds: [CharacterKind]? = try parameters.optional("kinds")
      if let words {
        if length != nil { throw ParameterError("length", .absenceWith("words")) }
        if kinds != nil { throw ParameterError("kinds", .absenceWith("words")) }
        return Self(recipe: .words(words))
      }
      let chosen = CharacterKind.allCases.filter { kinds?.contains($0) ?? true }
      guard !chosen.isEmpty else {
        throw ParameterError("kinds", .oneOf(CharacterKind.allCases.map(\.rawValue)))
      }
      return Self(recipe: .characters(length ?? PasswordRecipe.defaultLength, chosen))
    },
    write: { request, members in
      switch request.recipe {
      case .words(let count): members.append(.init("words", count.json))
      case .characters(let count, let kinds):
        members += [.init("length", count.json), .init("kinds", kinds.json)]
      }
    })

  package struct Response: ResultObject, Hashable {
    package var password: String
    /// The logarithm, to base 2, of the number of passwords that were equally likely, rounded down.
    package var bits: Int

    package init(password: String, bits: Int) { (self.password, self.bits) = (password, bits) }

    package static let coder = ObjectCoder(
      Self.init, .required("password", \.password), .required("bits", \.bits))
  }
}
