package import VaultExchange
import VaultInterface

/// What holds of every file that is imported, whatever its format.
package enum Entries {
  /// Reads a file in one way, and stops the run where an entry lies outside of it, is no card without a reason, or is a card
  /// that the rules of cards do not accept.
  package static func check(_ bytes: [UInt8], _ options: ImportOptions) {
    guard let file = try? ImportReader.read(bytes, options) else { return }
    guard file.account.lost == 0 else { fatalError("a value is lost") }
    for entry in file.entries {
      guard (1...bytes.count + 1).contains(entry.line) else { fatalError("outside of the file") }
      guard entry.draft != nil || entry.isSkipped || !entry.issues.isEmpty else { fatalError("no reason") }
      if let draft = entry.draft, (try? draft.checked().draft) != draft { fatalError("not valid") }
    }
  }
}
