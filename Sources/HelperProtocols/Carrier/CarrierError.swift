import Glibc
package import Wire

/// Why files could not be mirrored, or a sign-in failed.
package enum CarrierError: Error, Hashable, Sendable {
  /// This machine has no network.
  case offline
  case nameNotFound
  /// Nothing answers at the address.
  case unreachable
  /// The server's certificate is not valid for it.
  case certificate
  /// The server's certificate begins in the future.
  case clockWrong
  /// The server did not accept the password or token, or does not allow the request.
  case refused
  /// The server does not speak the protocol as it should, or there is nothing at the address.
  case wrongServer
  /// The server sent on to another one.
  case redirected
  case noQuota
  /// The server wants fewer requests.
  case rateLimited(retryAfter: Int?)
  /// The server sent or took nothing for too long.
  case timedOut
  /// The connection ended too early, or what arrived was not what was sent.
  case interrupted
  /// An error of the server, with its HTTP status.
  case serverFailed(Int)
  case cancelled
  /// The folder cannot be read or written: an error number (errno(3)).
  case folder(Int32)
  /// Another process mirrors the folder.
  case folderInUse
  /// The provider no longer accepts the sign-in.
  case signInAgain
  /// The person, or the provider, refused the sign-in.
  case signInRefused
  /// Nobody signed in in time.
  case signInExpired
  /// The provider's own words for another error, bounded and without control characters.
  case providerError(ProviderText)
  /// The file of certificates cannot be read, or has none: an error number (errno(3)).
  case certificateFile(Int32)
  /// The server does not take files of this size, in bytes.
  case tooLarge(Int)
  /// The server accepts the sign-in, but does not let a file be written or removed.
  case forbidden
  /// Somebody has locked a file on the server, such as an upload that was cut off.
  case locked
  /// The server's list of a folder leaves out files that are there.
  case listIncomplete
  /// The server takes only sign-ins by HTTP Digest authentication.
  case digestOnly
  /// The server cannot rename files, with its HTTP status.
  case renameRefused(Int)
  /// The server names itself by addresses of another server, or without TLS.
  case overwriteHost

  /// Whether the same request may succeed in a moment.
  package var isTransient: Bool {
    switch self {
    case .timedOut, .interrupted, .serverFailed, .locked, .rateLimited(.some): true
    default: false
    }
  }

  /// Whether another file may be carried nevertheless.
  package var concernsOneFile: Bool {
    switch self {
    case .tooLarge, .forbidden, .locked, .noQuota, .wrongServer, .interrupted, .timedOut, .serverFailed,
      .renameRefused:
      true
    default: false
    }
  }

  /// Whether the same request may succeed while somebody signs in, who may change the network meanwhile.
  package var isTransientForSignIn: Bool {
    switch self {
    case .offline, .nameNotFound, .unreachable, .rateLimited: true
    default: isTransient
    }
  }
}

/// What a provider says, for a person to read: one line of at most 200 characters without control characters.
package struct ProviderText: Hashable, Sendable {
  private static let longest = 200

  package let text: String

  package init(_ text: String) {
    let visible = text.unicodeScalars.prefix(4 * Self.longest).map { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned:
        Character(" ")
      default: Character(scalar)
      }
    }
    self.text = String(String(visible).split(separator: " ").joined(separator: " ").prefix(Self.longest))
  }
}

extension CarrierError {
  /// What happened, and what to do.
  package static let kinds: [ErrorKind] = [
    ErrorKind(
      "carrier.offline", 2201, "This machine is offline. Nothing is lost: try again later.",
      "这台电脑没有联网。数据没有丢失，请稍后再试。"),
    ErrorKind(
      "carrier.nameNotFound", 2202, "There is no server with this name. Check the address.",
      "找不到这个名称的服务器。请检查地址。"),
    ErrorKind(
      "carrier.unreachable", 2203, "No server responds at this address. Check it, or try again later.",
      "该地址没有响应。请检查地址，或稍后再试。"),
    ErrorKind(
      "carrier.certificate", 2204,
      "The server's certificate has expired, is for another name, or is from an unknown authority, so nothing was sent. If the authority is your own, name the file with its certificate.",
      "服务器的证书已过期、与地址不符，或由未知机构签发，因此没有发送任何内容。如果使用自己的证书颁发机构，请指定其证书文件。"),
    ErrorKind(
      "carrier.clockWrong", 2205,
      "The server's certificate is not valid yet. Check the clock of this machine.", "服务器的证书尚未生效。请检查这台电脑的时钟。"),
    ErrorKind(
      "carrier.refused", 2206,
      "The server refused access. Check the user name and the app password, and whether you may write to the folder, or sign in again.",
      "服务器拒绝访问。请检查用户名、应用密码和文件夹的写入权限，或重新登录。"),
    ErrorKind(
      "carrier.wrongServer", 2207,
      "There is no such service or folder at the address, you may not write to it, or its response is invalid. Check the address and the permissions.",
      "该地址没有此服务或文件夹、没有写入权限，或其响应不正确。请检查地址和权限。"),
    ErrorKind(
      "carrier.redirected", 2208,
      "The server redirects to another server, which QuickVault does not follow. Check the address.",
      "服务器要求转到另一台服务器，随取不会跟随。请检查地址。"),
    ErrorKind(
      "carrier.noQuota", 2209, "Your space on the server is full. Free some there.", "服务器上的空间已用完。请在服务器上腾出空间。"),
    ErrorKind(
      "carrier.rateLimited", 2210,
      reasons: [
        "seconds": (
          "The server refuses more requests for now. Nothing is lost: it is tried again in {seconds} seconds.",
          "服务器暂时拒绝更多请求。数据没有丢失，{seconds} 秒后会再试。"
        ),
        "": (
          "The server refuses more requests for now; its limit may be per half hour. Nothing is lost: it is tried again later.",
          "服务器暂时拒绝更多请求，限额可能按半小时计算。数据没有丢失，稍后会再试。"
        ),
      ]),
    ErrorKind("carrier.timedOut", 2211, "The server does not answer. Try again later.", "服务器没有响应，请稍后再试。"),
    ErrorKind("carrier.interrupted", 2212, "The connection was interrupted. Try again.", "连接中断，请重试。"),
    ErrorKind(
      "carrier.serverFailed", 2213, "The server failed (HTTP {status}). Try again later.",
      "服务器出错（HTTP {status}），请稍后再试。"),
    ErrorKind(
      "carrier.folder", 2214, exitStatus: 15, "The folder cannot be used: {cause}.", "无法使用该文件夹：{cause}。"),
    ErrorKind("carrier.folderInUse", 2215, "Another process is carrying this folder.", "另一个进程正在传送该文件夹。"),
    ErrorKind(
      "carrier.signInAgain", 2216, "The sign-in is no longer valid. Nothing is lost: sign in again.",
      "登录已失效。数据没有丢失，请重新登录。"),
    ErrorKind("carrier.signInRefused", 2217, "The sign-in was refused.", "登录被拒绝。"),
    ErrorKind("carrier.signInExpired", 2218, "The sign-in timed out. Start again.", "登录超时，请重新开始。"),
    ErrorKind(
      "carrier.providerError", 2219, "The provider refused the sign-in: “{text}”", "登录服务拒绝了请求，原文为：“{text}”"),
    ErrorKind(
      "carrier.certificateFile", 2220, exitStatus: 15, "The file of certificates cannot be used: {cause}.",
      "无法使用证书文件：{cause}。"),
    ErrorKind(
      "carrier.tooLarge", 2221,
      "A file of {size} MB is too large for the server and was not carried; the others were. Raise the server's limit for uploads, such as client_max_body_size of nginx.",
      "有一个 {size} MB 的文件超出服务器的上传限制，未能传送；其余文件已传送。请提高服务器的上传限制，例如 nginx 的 client_max_body_size。"),
    ErrorKind(
      "carrier.forbidden", 2222,
      "The server accepts the sign-in, but does not let a file be written or removed. Check the permissions of the folder there, and which names the server allows.",
      "服务器接受了登录，但不允许写入或删除某个文件。请检查服务器上文件夹的权限，以及服务器允许的文件名。"),
    ErrorKind(
      "carrier.locked", 2223,
      "The server has locked a file, such as after an upload that was cut off. It is tried again later.",
      "服务器锁定了某个文件，可能因为之前的上传中断。稍后会再试。"),
    ErrorKind(
      "carrier.listIncomplete", 2224,
      "The server's list of a folder leaves out files that are there, so nothing was removed. The server may limit the length of its lists.",
      "服务器的文件列表不完整，缺少实际存在的文件，因此没有删除任何文件。服务器可能限制了列表的长度。"),
    ErrorKind(
      "carrier.digestOnly", 2225,
      "The server takes only sign-ins by Digest, which QuickVault does not support. Let it take Basic authentication, which TLS protects.",
      "服务器只接受 Digest 登录，随取不支持这种方式。请在服务器上启用受 TLS 保护的 Basic 登录。"),
    ErrorKind(
      "carrier.renameRefused", 2226,
      "The server cannot rename files (HTTP {status}), so an upload that is cut off may leave half a file. If a proxy in front of it handles TLS, the proxy must pass on that the address begins with https.",
      "服务器无法重命名文件（HTTP {status}），上传中断时可能留下不完整的文件。如果由前置代理处理 TLS，代理须告知服务器地址以 https 开头。"),
    ErrorKind(
      "carrier.overwriteHost", 2227,
      "The server names itself by another address, or without https. Its administrator has to correct the settings for its address, in Nextcloud overwritehost, overwriteprotocol and overwrite.cli.url.",
      "服务器给出的自身地址不同，或不是 https。请管理员更正服务器的地址设置；在 Nextcloud 中为 overwritehost、overwriteprotocol 和 overwrite.cli.url。"
    ),
    ErrorKind("carrier.cancelled", -32800, "Cancelled.", "已取消。"),
  ]

  /// A name that never changes.
  package var kind: String { "carrier." + ErrorKind.caseName(self) }

  private var row: ErrorKind? { Self.kinds.first { $0.name == kind } }

  /// One error of each kind.
  package static let examples: [CarrierError] = [
    .offline, .nameNotFound, .unreachable, .certificate, .clockWrong, .refused, .wrongServer, .redirected,
    .noQuota, .rateLimited(retryAfter: 30), .rateLimited(retryAfter: nil), .timedOut, .interrupted,
    .serverFailed(500), .cancelled, .folder(2), .folderInUse, .signInAgain, .signInRefused, .signInExpired,
    .providerError(ProviderText("unknown client")), .certificateFile(2),
    .tooLarge(1_500_000), .forbidden, .locked, .listIncomplete, .digestOnly, .renameRefused(502),
    .overwriteHost,
  ]

  /// The words of the message, the same in both languages.
  package var words: [String: String] {
    switch self {
    case .rateLimited(let seconds?): ["seconds": "\(seconds)"]
    case .serverFailed(let status), .renameRefused(let status): ["status": "\(status)"]
    case .tooLarge(let size): ["size": Self.megabytes(size)]
    case .folder(let number), .certificateFile(let number):
      unsafe ["cause": String(cString: strerror(number))]
    case .providerError(let provider): ["text": provider.text]
    default: [:]
    }
  }

  /// A size with one digit after the point, rounded up.
  private static func megabytes(_ size: Int) -> String {
    let tenths = size / 100_000 + (size % 100_000 > 0 ? 1 : 0)
    return "\(tenths / 10).\(tenths % 10)"
  }

  /// What decides on the message of the kind.
  package var reason: String? {
    if case .rateLimited(let seconds?) = self, seconds <= 86_400 { "seconds" } else { nil }
  }

  /// What happened, and what to do.
  package var message: CarrierText {
    let text: ErrorKind.Text = row?.message(reason: reason, words.mapValues { ($0, $0) }) ?? (kind, kind)
    return CarrierText(text.english, text.chinese)
  }

  /// What belongs to the kind.
  private var values: [JSON.Member] {
    switch self {
    case .rateLimited(let seconds?): [.init("retryAfterSeconds", .integer(seconds))]
    case .serverFailed(let status), .renameRefused(let status): [.init("status", .integer(status))]
    case .tooLarge(let size): [.init("size", .integer(size))]
    case .folder(let number), .certificateFile(let number): [.init("errno", .integer(Int(number)))]
    case .providerError(let provider): [.init("text", .string(provider.text))]
    default: []
    }
  }

  /// The kind, what belongs to it, and the message in both languages.
  package var json: JSON {
    let texts: JSON = ["en": .string(message.english), "zh-Hans": .string(message.chinese)]
    return .object([.init("kind", .string(kind))] + values + [.init("messages", texts)])
  }

  package var response: ResponseError {
    ResponseError(code: row?.code ?? 0, message: message.english, data: json)
  }

  /// Recognizes an error by the kind in its data; nil for one that is not of the carrier.
  package init?(_ response: ResponseError) { self.init(response.data) }

  /// Reads ``json``; nil for anything else.
  package init?(_ data: JSON?) {
    let kind = data?["kind"]?.string
    guard let example = Self.examples.first(where: { $0.kind == kind }) else { return nil }
    switch example {
    case .rateLimited: self = .rateLimited(retryAfter: data?["retryAfterSeconds"]?.integer)
    case .serverFailed: self = .serverFailed(data?["status"]?.integer ?? 500)
    case .renameRefused: self = .renameRefused(data?["status"]?.integer ?? 500)
    case .tooLarge: self = .tooLarge(data?["size"]?.integer ?? 0)
    case .folder: self = .folder(Int32(clamping: data?["errno"]?.integer ?? 0))
    case .certificateFile: self = .certificateFile(Int32(clamping: data?["errno"]?.integer ?? 0))
    case .providerError: self = .providerError(ProviderText(data?["text"]?.string ?? ""))
    default: self = example
    }
  }
}

extension CarrierError: JSONCodable {
  package static func read(_ value: JSON, at path: String) throws(ParameterError) -> Self {
    guard let error = Self(value) else { throw ParameterError(path, .object) }
    return error
  }
}
