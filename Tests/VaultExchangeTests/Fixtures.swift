import Foundation
import VaultModel

@testable import VaultExchange

/// Files of other programs: see files/ORIGIN.md.
enum Fixtures {
  static func bytes(_ name: String, file: String = #filePath) throws -> [UInt8] {
    let directory = URL(filePath: file).deletingLastPathComponent().appending(path: "files")
    return Array(try Data(contentsOf: directory.appending(path: name)))
  }

  static func read(_ name: String, _ options: ImportOptions = ImportOptions()) throws -> ImportedFile {
    try ImportReader.read(bytes(name), options)
  }
}

/// Reads a text.
func read(_ text: String, _ options: ImportOptions = ImportOptions()) throws(ImportError) -> ImportedFile {
  try ImportReader.read(Array(text.utf8), options)
}

/// The error that a text comes to; nil if there is none.
func importError(_ text: String, _ options: ImportOptions = ImportOptions()) -> ImportError? {
  do {
    _ = try read(text, options)
    return nil
  } catch {
    return error
  }
}

struct Missing: Error {}

extension ImportedFile {
  /// The card of an entry, by its title.
  func card(_ title: String) throws -> CardDraft {
    guard let draft = entries.first(where: { $0.title == title })?.draft else { throw Missing() }
    return draft
  }
}

extension CardDraft {
  /// The value of a field of the user's own; nil if there is none.
  func extra(_ label: String) -> String? {
    extraFields.first { $0.label == label }?.value
  }

  /// The labels of what is concealed.
  var concealedLabels: [String] {
    extraFields.filter(\.concealed).map(\.label)
  }
}
