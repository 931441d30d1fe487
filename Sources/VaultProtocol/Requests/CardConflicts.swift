package import JSON
package import VaultModel

/// `card/conflicts`: every conflict copy with its card.
package struct CardConflicts: VaultRequest {
  package static let method = "card/conflicts"

  package static let coder = ObjectCoder(Self.init)

  package struct Response: ResultObject, Hashable {
    package var conflicts: [CardConflict]
    /// The number of further conflicts; nil for none.
    package var leftOut: Int?

    package init(conflicts: [CardConflict], leftOut: Int?) {
      (self.conflicts, self.leftOut) = (conflicts, leftOut)
    }

    package static let coder = ObjectCoder(
      Self.init, .required("conflicts", \.conflicts), .optional("conflictsLeftOut", \.leftOut))
  }
}

extension CardConflict: ResultObject {
  package static let coder = ObjectCoder(
    Self.init, .optional("id", \.card), .required("copyId", \.copy), .required("title", \.title))
}
