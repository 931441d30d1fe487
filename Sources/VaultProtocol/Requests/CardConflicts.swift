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

    package static let coder = ObjectCoder(
      Self.init, .required("conflicts", \.conflicts), .optional("conflictsLeftOut", \.leftOut))

    /// Lists conflicts up to ``Merge/conflictLimit``, and counts the others.
    package init(all: [CardConflict]) {
      conflicts = Array(all.prefix(Merge.conflictLimit))
      leftOut = all.count > conflicts.count ? all.count - conflicts.count : nil
    }

    private init(conflicts: [CardConflict], leftOut: Int?) {
      (self.conflicts, self.leftOut) = (conflicts, leftOut)
    }
  }
}

extension CardConflict: ResultObject {
  package static let coder = ObjectCoder(
    Self.init, .optional("id", \.card), .required("copyId", \.copy), .required("title", \.title))
}
