import HelperProtocols
import WebCarrier

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

extension MirrorOutcome {
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
    if !failures.isEmpty {
      english += "; \(failures.count) not carried"
      chinese += "；\(failures.count) 个未能传送"
    }
    if let notice {
      english += ". \(notice.message.english)"
      chinese += "。\(notice.message.chinese)"
    }
    return CarrierText(english, chinese)
  }
}
