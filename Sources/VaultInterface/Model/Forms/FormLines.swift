/// The lines of a form, parsed whatever their labels mean.
struct FormLines {
  /// A field: a label with a value beside it, or in indented lines below.
  struct Field {
    var label: String
    var isConcealed = false
    /// Whether the field is below the heading of those that the user added.
    var isExtra = false
    /// The number of the label's line, from 1.
    var line: Int
    fileprivate(set) var lines: [String]

    var value: String { lines.joined(separator: "\n") }
  }

  /// More than a card can have. What follows in a text with more is not read.
  private static let maximumFields = 200

  private(set) var fields: [Field] = []
  /// The numbers of the lines that belong to no field.
  private(set) var strayLines: [Int] = []
  /// The number of the heading of the fields that the user added; nil without one.
  private(set) var extraFieldsLine: Int?

  private var isOpen = false
  /// Lines of white space, which belong to a value only if more of it follows.
  private var blankLines: [String] = []

  /// - Parameter last: the field whose value is everything below its heading, as it is.
  init(_ text: String, last: FieldTemplate?) {
    let lastNames = last.map { FieldName($0).spellings } ?? []
    let extraNames = [
      "extraFields", FormText.extraFieldsLabel.english, FormText.extraFieldsLabel.simplifiedChinese,
    ]
    .map(\.foldedName)
    var (rest, number) = (text.utf8[...], 0)
    while !rest.isEmpty {
      let end = rest.firstIndex(of: 0x0A) ?? rest.endIndex
      let line = Substring(rest[..<end].last == 0x0D ? rest[..<end].dropLast() : rest[..<end])
      rest = rest[end...].dropFirst()
      number += 1
      guard fields.count <= Self.maximumFields else { return }
      guard let heading = Self.heading(line) else {
        read(line, number)
        continue
      }
      (isOpen, blankLines) = (false, [])
      if let last, lastNames.contains(heading) {
        var lines = Self.split(Substring(rest))
        if lines.last?.isEmpty ?? false { lines.removeLast() }
        fields.append(Field(label: last.key, line: number, lines: lines))
        return
      }
      if extraNames.contains(heading) { extraFieldsLine = number } else { strayLines.append(number) }
    }
  }

  /// Returns the lines of a text, which ends them as Unix or as Windows does.
  static func split(_ text: Substring) -> [String] {
    text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
      String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
    }
  }

  /// Returns the name in a heading such as `--- Further fields ---`, folded; nil for another line.
  private static func heading(_ line: Substring) -> String? {
    guard line.utf8.starts(with: "---".utf8) else { return nil }
    let dash = UInt8(ascii: "-")
    var name = line.utf8.drop { $0 == dash }
    while let byte = name.last, byte == dash || byte == UInt8(ascii: " ") { name.removeLast() }
    return String(Substring(name)).foldedName
  }

  private mutating func read(_ line: Substring, _ number: Int) {
    let isIndented = line.unicodeScalars.first?.properties.isWhitespace ?? true
    if line.unicodeScalars.allSatisfy(\.properties.isWhitespace) {
      if isOpen { blankLines.append(Self.unindented(line)) }
    } else if line.utf8.first == UInt8(ascii: "#") {
      return
    } else if isIndented {
      guard isOpen else { return strayLines.append(number) }
      fields[fields.count - 1].lines += blankLines + [Self.unindented(line)]
      blankLines = []
    } else if let parts = FormQuoting.labelled(line) {
      fields.append(
        Field(
          label: parts.label, isConcealed: parts.isConcealed, isExtra: extraFieldsLine != nil, line: number,
          lines: parts.value.isEmpty ? [] : [parts.value]))
      (isOpen, blankLines) = (true, [])
    } else {
      strayLines.append(number)
      (isOpen, blankLines) = (false, [])
    }
  }

  /// Removes the indentation of a line: two spaces, or one other white space.
  private static func unindented(_ line: Substring) -> String {
    String(
      line.utf8.starts(with: "  ".utf8) ? line.unicodeScalars.dropFirst(2) : line.unicodeScalars.dropFirst())
  }
}
