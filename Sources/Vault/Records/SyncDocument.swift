package import Wire

/// The document `sync` of a synchronised vault: the identity of this replica, and what it knows of the others.
package struct SyncDocument: Hashable, Sendable {
  package static let name = "sync"

  /// The lines of the document.
  package var values: KeyValueText

  /// Makes the document of a new replica.
  package init(replica: Identifier) {
    values = KeyValueText()
    self.replica = replica
  }

  /// Reads a document; nil without a replica.
  package init?(_ values: KeyValueText) {
    guard values["replica"].flatMap(Identifier.init) != nil else { return nil }
    self.values = values
  }

  /// Identifies this file among the files of the vault. A copy of the file gets another when it is first opened.
  package var replica: Identifier {
    get { values["replica"].flatMap(Identifier.init) ?? .zero }
    set { values["replica"] = newValue.description }
  }

  /// What distinguishes this file's place from all others: a file that is found elsewhere is a copy.
  package var place: String {
    get { values["place"] ?? "" }
    set { values["place"] = newValue }
  }

  /// The replica's id before the machine was restored from a backup, or the vault repaired; nil if neither was. This replica publishes
  /// what that one had published.
  package var former: Identifier? {
    get { values["former"].flatMap(Identifier.init) }
    set { values["former"] = newValue?.description }
  }

  /// The other replicas that were seen.
  package var others: [Identifier] {
    values.names.compactMap { name in
      guard name.hasSuffix(".sequence"), name.utf8.count == 45 else { return nil }
      return Identifier(String(name.prefix(36)))
    }.sorted()
  }
}
