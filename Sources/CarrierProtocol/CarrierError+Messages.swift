import Glibc

extension CarrierError {
  /// What happened, and what to do.
  package var message: CarrierText {
    switch self {
    case .offline:
      CarrierText("This machine is offline. Nothing is lost: try again later.", "这台电脑没有联网。数据没有丢失，请稍后再试。")
    case .nameNotFound:
      CarrierText("There is no server with this name. Check the address.", "找不到这个名称的服务器。请检查地址。")
    case .unreachable:
      CarrierText("No server responds at this address. Check it, or try again later.", "该地址没有响应。请检查地址，或稍后再试。")
    case .certificate:
      CarrierText(
        "The server's certificate has expired, is for another name, or is from an unknown authority, so nothing was sent. If the authority is your own, name the file with its certificate.",
        "服务器的证书已过期、与地址不符，或由未知机构签发，因此没有发送任何内容。如果使用自己的证书颁发机构，请指定其证书文件。")
    case .clockWrong:
      CarrierText(
        "The server's certificate is not valid yet. Check the clock of this machine.",
        "服务器的证书尚未生效。请检查这台电脑的时钟。")
    case .refused:
      CarrierText(
        "The server refused access. Check the user name and the app password, and whether you may write to the folder, or sign in again.",
        "服务器拒绝访问。请检查用户名、应用密码和文件夹的写入权限，或重新登录。")
    case .wrongServer:
      CarrierText(
        "There is no such service or folder at the address, you may not write to it, or its response is invalid. Check the address and the permissions.",
        "该地址没有此服务或文件夹、没有写入权限，或其响应不正确。请检查地址和权限。")
    case .redirected:
      CarrierText(
        "The server redirects to another server, which QuickVault does not follow. Check the address.",
        "服务器要求转到另一台服务器，随取不会跟随。请检查地址。")
    case .noQuota:
      CarrierText("Your space on the server is full. Free some there.", "服务器上的空间已用完。请在服务器上腾出空间。")
    case .rateLimited(let seconds?) where seconds <= 86_400:
      CarrierText("The server asks to try again in \(seconds) seconds.", "服务器要求在 \(seconds) 秒后再试。")
    case .rateLimited:
      CarrierText("The server asks for fewer requests. Try again later.", "请求过于频繁，请稍后再试。")
    case .timedOut: CarrierText("The server does not answer. Try again later.", "服务器没有响应，请稍后再试。")
    case .interrupted: CarrierText("The connection was interrupted. Try again.", "连接中断，请重试。")
    case .serverFailed(let status):
      CarrierText("The server failed (HTTP \(status)). Try again later.", "服务器出错（HTTP \(status)），请稍后再试。")
    case .cancelled: CarrierText("Cancelled.", "已取消。")
    case .folder(let number):
      unsafe CarrierText(
        "The folder cannot be used: \(String(cString: strerror(number))).",
        "无法使用该文件夹：\(String(cString: strerror(number)))。")
    case .folderInUse: CarrierText("Another process is carrying this folder.", "另一个进程正在传送该文件夹。")
    case .signInAgain:
      CarrierText(
        "The sign-in is no longer valid. Nothing is lost: sign in again.", "登录已失效。数据没有丢失，请重新登录。")
    case .signInRefused: CarrierText("The sign-in was refused.", "登录被拒绝。")
    case .signInExpired:
      CarrierText("The sign-in timed out. Start again.", "登录超时，请重新开始。")
    case .providerError(let provider):
      CarrierText(
        "The provider refused the sign-in: “\(provider.text)”", "登录服务拒绝了请求，原文为：“\(provider.text)”")
    case .certificateFile(let number):
      unsafe CarrierText(
        "The file of certificates cannot be used: \(String(cString: strerror(number))).",
        "无法使用证书文件：\(String(cString: strerror(number)))。")
    }
  }
}
