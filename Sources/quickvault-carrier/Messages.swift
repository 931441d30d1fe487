import Glibc
import WebCarrier

/// A text in both languages.
struct Text {
  let english: String
  let chinese: String

  init(_ english: String, _ chinese: String) {
    (self.english, self.chinese) = (english, chinese)
  }

  /// The text in a language.
  func text(inChinese: Bool) -> String { inChinese ? chinese : english }
}

extension CarrierError {
  /// What happened, and what to do.
  var message: Text {
    switch self {
    case .offline:
      Text("This machine is offline. Nothing is lost: try again later.", "这台电脑没有联网。数据没有丢失，请稍后再试。")
    case .nameNotFound:
      Text("There is no server of this name. Check the address.", "找不到这个名称的服务器。请检查地址。")
    case .unreachable:
      Text("Nothing answers at this address. Check it, or try again later.", "该地址没有响应。请检查地址，或稍后再试。")
    case .certificate:
      Text(
        "The server's certificate is not valid, so nothing was sent. For an authority of your own, use --ca-file.",
        "服务器的证书无效，因此没有发送任何内容。如果使用自己的证书颁发机构，请用 --ca-file 指定。")
    case .clockWrong:
      Text(
        "The server's certificate is not valid yet. Check the clock of this machine.",
        "服务器的证书尚未生效。请检查这台电脑的时钟。")
    case .refused:
      Text(
        "The server refused access. Check the user name and the app password, or sign in again.",
        "服务器拒绝访问。请检查用户名和应用密码，或重新登录。")
    case .wrongServer:
      Text(
        "This is not a WebDAV folder, or it does not answer as one. Check the address.",
        "该地址不是 WebDAV 文件夹，或其响应不正确。请检查地址。")
    case .redirected:
      Text(
        "The server redirects to another server, which was not followed. Check the address.",
        "服务器重定向到另一台服务器，已停止。请检查地址。")
    case .noQuota:
      Text("The server has no space left for you. Free some there.", "服务器上的空间已用完。请在服务器上腾出空间。")
    case .rateLimited(let seconds?):
      Text("The server asks to try again in \(seconds) seconds.", "服务器要求在 \(seconds) 秒后再试。")
    case .rateLimited(nil):
      Text("The server asks for fewer requests. Try again later.", "请求过于频繁，请稍后再试。")
    case .timedOut: Text("The server does not answer. Try again later.", "服务器没有响应，请稍后再试。")
    case .interrupted: Text("The connection was interrupted. Try again.", "连接中断，请重试。")
    case .serverFailed(let status):
      Text("The server failed (HTTP \(status)). Try again later.", "服务器出错（HTTP \(status)），请稍后再试。")
    case .cancelled: Text("Cancelled.", "已取消。")
    case .folder(let number):
      unsafe Text(
        "The folder cannot be used: \(String(cString: strerror(number))).",
        "无法使用该文件夹：\(String(cString: strerror(number)))。")
    case .folderInUse: Text("Another process carries this folder.", "另一个进程正在同步该文件夹。")
    }
  }

  /// A status of sysexits(3), or that of a shell for a program that SIGINT ended.
  var exitStatus: Int32 {
    switch self {
    case .offline, .nameNotFound, .unreachable, .timedOut, .interrupted, .serverFailed, .rateLimited,
      .folderInUse:
      75
    case .refused: 77
    case .certificate, .clockWrong, .wrongServer, .redirected: 76
    case .noQuota: 73
    case .folder: 74
    case .cancelled: 130
    }
  }
}

extension FolderMirror.Outcome {
  /// What a pass did, in one line.
  var message: Text {
    var english = "sent \(sent), received \(received)"
    var chinese = "发送 \(sent) 个，接收 \(received) 个"
    if removedThere + removedHere > 0 {
      english += ", removed \(removedThere) there and \(removedHere) here"
      chinese += "，删除远端 \(removedThere) 个、本地 \(removedHere) 个"
    }
    if !damaged.isEmpty {
      english += "; \(damaged.count) damaged on the server or here, not carried"
      chinese += "；\(damaged.count) 个在服务器或本地已损坏，未传输"
    }
    return Text(english, chinese)
  }
}
