import VaultInterface

/// The text of a secure note of LastPass, which has a field on each line: `NoteType:Credit Card`, `Number:…`.
struct LastPassNote {
  private(set) var fields: [ExtraField] = []
  private(set) var notes = ""

  /// Reads a text; nil if it is not such a note.
  init?(_ text: String) {
    guard text.hasPrefix("NoteType:") else { return nil }
    var lines = text.lines[...]
    while let line = lines.popFirst() {
      guard let colon = line.firstIndex(of: ":") else {
        if fields.isEmpty { notes += line } else { fields[fields.count - 1].value += "\n" + line }
        continue
      }
      let (label, value) = (String(line[..<colon]), String(line[line.index(after: colon)...]))
      if label == "Notes" {
        notes = ([value] + lines).joined(separator: "\n")
        return
      }
      let isSecret = SecretName.isSecret(label, value)
      if !value.isBlank { fields.append(ExtraField(label: label, value: value, concealed: isSecret)) }
    }
  }
}
