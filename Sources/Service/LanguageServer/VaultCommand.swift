import VaultInterface
package import Wire

/// A command that a completion item, a code action or a key of the editor runs (LSP 3.17, `Command`).
package enum VaultCommand: Sendable, Hashable {
  /// Inserts a card, or a field of it, in place of what stands there.
  case insert(Insertion)
  /// Inserts the card of a placeholder in its place.
  case fill(PlaceholderTarget)
  /// Saves the selection as a text card.
  case save(Selection)

  /// The names on the wire.
  package enum Name: String, CaseIterable, Sendable {
    case insert = "quickvault.insert"
    case fill = "quickvault.fill"
    case save = "quickvault.saveSelection"
    case lock = "quickvault.lock"
    case unlock = "quickvault.unlock"
    case requestConsent = "quickvault.requestConsent"
  }

  /// The position and the field to insert, without its value.
  package struct Insertion: ResultObject, Hashable {
    package var place: EditTarget
    package var card: Identifier
    /// A field's key or label; nil for the whole card.
    package var field: String?

    package static let coder = ObjectCoder(
      Self.init(place:card:field:), .required("place", \.place), .required("card", \.card),
      .optional("field", \.field))
  }

  package struct PlaceholderTarget: ResultObject, Hashable {
    package var place: EditTarget
    /// ``Placeholder/name``.
    package var name: String

    package init(place: EditTarget, name: String) {
      (self.place, self.name) = (place, name)
    }

    package static let coder = ObjectCoder(
      Self.init(place:name:), .required("place", \.place), .required("name", \.name))
  }

  package struct Selection: ResultObject, Hashable {
    package var uri: String
    /// The document's version when it was selected; if it has changed, nothing is saved.
    package var version: Int
    package var range: DocumentRange

    package init(uri: String, version: Int, range: DocumentRange) {
      (self.uri, self.version, self.range) = (uri, version, range)
    }

    package static let coder = ObjectCoder(
      Self.init(uri:version:range:), .required("uri", \.uri), .required("version", \.version),
      .required("range", \.range))
  }

  package var name: Name {
    switch self {
    case .insert: .insert
    case .fill: .fill
    case .save: .save
    }
  }

  private var argument: JSON {
    switch self {
    case .insert(let insertion): insertion.json
    case .fill(let filling): filling.json
    case .save(let selection): selection.json
    }
  }

  /// The command as an item or an action has it.
  package func json(title: String) -> JSON {
    ["title": .string(title), "command": .string(name.rawValue), "arguments": [argument]]
  }

  init(_ name: Name, _ argument: JSON, at path: String) throws(ParameterError) {
    switch name {
    case .insert: self = .insert(try Insertion.read(argument, at: path))
    case .fill: self = .fill(try PlaceholderTarget.read(argument, at: path))
    case .save: self = .save(try Selection.read(argument, at: path))
    case .lock, .unlock, .requestConsent: throw ParameterError(path, .absence)
    }
  }
}

/// A part of a line that an edit replaces.
package struct EditTarget: ResultObject, Hashable {
  package var uri: String
  package var range: DocumentRange
  /// The text at the position; if it has changed, nothing is edited.
  package var text: String

  package static let coder = ObjectCoder(
    Self.init(uri:range:text:), .required("uri", \.uri), .required("range", \.range),
    .required("text", \.text))
}
