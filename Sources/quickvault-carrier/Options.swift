import Glibc

/// The command line.
struct Options {
  var folder = ""
  var address = ""
  var user: String?
  /// The descriptor with the password; nil asks at the terminal.
  var password: Int32?
  /// The descriptor with an access token.
  var token: Int32?
  /// A file with certificates of authorities.
  var authorities: String?
  /// How long the server may do nothing, in seconds.
  var timeout = 30
  var writesJSON = false
  /// Whether all files are listed, even if the marks of other carriers show no change.
  var listsAll = false

  /// Reads the words after `mirror`; nil for a wrong use.
  init?(_ words: [String]) {
    var rest = words[...]
    var operands: [String] = []
    while let word = rest.popFirst() {
      switch word {
      case "--json": writesJSON = true
      case "--list-all": listsAll = true
      case "--user":
        guard let value = rest.popFirst() else { return nil }
        user = value
      case "--ca-file":
        guard let value = rest.popFirst() else { return nil }
        authorities = value
      case "--password-fd":
        guard let value = rest.popFirst().flatMap(Int32.init), value >= 0 else { return nil }
        password = value
      case "--token-fd":
        guard let value = rest.popFirst().flatMap(Int32.init), value >= 0 else { return nil }
        token = value
      case "--timeout":
        guard let value = rest.popFirst().flatMap(Int.init), (1...3_600).contains(value) else { return nil }
        timeout = value
      default:
        guard !word.hasPrefix("-") else { return nil }
        operands.append(word)
      }
    }
    guard operands.count == 2, !operands.contains(""), password == nil || user != nil,
      token == nil || user == nil
    else { return nil }
    (folder, address) = (operands[0], operands[1])
  }
}
