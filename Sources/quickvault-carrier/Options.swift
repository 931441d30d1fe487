import Glibc
import HelperProtocols
import WebCarrier

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

extension CarrierError {
  /// A status of sysexits(3), or that of a shell for a program that SIGINT ended.
  var exitStatus: Int32 {
    switch self {
    case .offline, .nameNotFound, .unreachable, .timedOut, .interrupted, .serverFailed, .rateLimited,
      .folderInUse, .locked:
      75
    case .refused, .forbidden, .signInAgain, .signInRefused, .signInExpired, .providerError: 77
    case .certificate, .clockWrong, .wrongServer, .redirected, .listIncomplete, .digestOnly, .renameRefused,
      .overwriteHost:
      76
    case .noQuota, .tooLarge: 73
    case .folder, .certificateFile: 74
    case .cancelled: 130
    }
  }
}

extension CarrierMirror.Response {
  /// What a pass did, in one line.
  var message: CarrierText {
    var english = "sent \(sent), received \(received)"
    var chinese = "发送 \(sent) 个，接收 \(received) 个"
    if removedThere + removedHere > 0 {
      english += ", removed \(removedThere) there and \(removedHere) here"
      chinese += "，删除远端 \(removedThere) 个、本地 \(removedHere) 个"
    }
    if !damaged.isEmpty {
      english += "; \(damaged.count) damaged on the server or here, not carried"
      chinese += "；\(damaged.count) 个在服务器或本地已损坏，未传送"
    }
    if !failed.isEmpty {
      english += "; \(failed.count) not carried"
      chinese += "；\(failed.count) 个未能传送"
    }
    if let notice {
      english += ". \(notice.message.english)"
      chinese += "。\(notice.message.chinese)"
    }
    return CarrierText(english, chinese)
  }
}
