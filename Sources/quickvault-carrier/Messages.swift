import HelperProtocols
import WebCarrier

extension CarrierError {
  /// A status of sysexits(3), or that of a shell for a program that SIGINT ended.
  var exitStatus: Int32 {
    switch self {
    case .offline, .nameNotFound, .unreachable, .timedOut, .interrupted, .serverFailed, .rateLimited,
      .folderInUse:
      75
    case .refused, .signInAgain, .signInRefused, .signInExpired, .providerError: 77
    case .certificate, .clockWrong, .wrongServer, .redirected: 76
    case .noQuota: 73
    case .folder, .certificateFile: 74
    case .cancelled: 130
    }
  }
}

extension FolderMirror.Outcome {
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
    return CarrierText(english, chinese)
  }
}
