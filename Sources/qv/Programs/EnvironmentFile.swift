import VaultInterface

/// A file with a variable in each line, such as `NAME="value"`. No variable stands for another: `$` is a character like others.
enum EnvironmentFile {
  /// Reads a file. White space, `export` and comments are left out. In single quotes all is text; in double quotes, a backslash
  /// makes `\n`, `\r` and `\t`, and quotes any other character.
  ///
  /// - Returns: the variables with their lines, from 1.
  /// - Throws: ``ExitStatus/invalid``, with the line.
  static func read(_ path: String) throws(Failure) -> [(name: String, value: String, line: Int)] {
    var variables: [(String, String, Int)] = []
    let lines = try FileSystem.text(path).replacing("\u{FEFF}", with: "").lines.map(\.trimmed)
    for (index, line) in lines.enumerated() where !line.isEmpty && !line.hasPrefix("#") {
      guard let sign = line.firstIndex(of: "="), let name = name(line[..<sign]),
        let value = value(String(line[line.index(after: sign)...]).trimmed)
      else {
        throw .exit(
          .invalid,
          Localized(
            "\(path):\(index + 1): this is no variable, such as NAME=value or NAME=\"value\"",
            "\(path):\(index + 1)：不是变量，应写作 NAME=value 或 NAME=\"value\""))
      }
      variables.append((name, value, index + 1))
    }
    return variables
  }

  private static func name(_ text: Substring) -> String? {
    let words = text.split(whereSeparator: \.isWhitespace)
    guard words.count == 1 || words.count == 2 && words[0] == "export", let name = words.last,
      name.first?.isNumber == false,
      name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") })
    else { return nil }
    return String(name)
  }

  private static func value(_ source: String) -> String? {
    guard !source.contains("\0") else { return nil }
    var (rest, text) = (source[...], "")
    guard let mark = source.first, mark == "\"" || mark == "'" else {
      while let character = rest.popFirst(), character != "#" || text.last?.isWhitespace == false {
        text.append(character)
      }
      return text.trimmed
    }
    rest.removeFirst()
    while let character = rest.popFirst() {
      if character == mark {
        let after = String(rest).trimmed
        return after.isEmpty || after.hasPrefix("#") ? text : nil
      }
      let escaped = character == "\\" && mark == "\"" ? rest.popFirst() : nil
      text.append(escaped.map { ["n": "\n", "r": "\r", "t": "\t"][$0] ?? $0 } ?? character)
    }
    return nil
  }
}
