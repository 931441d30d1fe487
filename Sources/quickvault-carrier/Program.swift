import CLinux
import Glibc
import HelperProtocols
import WebCarrier
import Wire

enum Program {
  static let version = "0.2.0"

  private static let help = CarrierText(
    """
    usage: quickvault-carrier mirror FOLDER URL [--user NAME [--password-fd N] | --token-fd N]
                              [--ca-file FILE] [--timeout SECONDS] [--list-all] [--json]
           quickvault-carrier serve
    mirror makes FOLDER, in which a vault is synchronised, and a WebDAV folder the same. serve is for programs.
    See quickvault-carrier(1).
    """,
    """
    用法：quickvault-carrier mirror 文件夹 网址 [--user 用户名 [--password-fd N] | --token-fd N]
                             [--ca-file 文件] [--timeout 秒] [--list-all] [--json]
         quickvault-carrier serve
    mirror 使同步保险库的文件夹与 WebDAV 文件夹保持一致；serve 供程序使用。参见 quickvault-carrier(1)。
    """)

  private static let addressHint = CarrierText(
    "The URL must begin with https://, or with http:// for a server on this machine. It must not contain a user, “?” or “#”.",
    "网址须以 https:// 开头（本机的服务器可用 http://），且不含用户名、“?”和“#”。")

  private static let inChinese =
    ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { ProcessEnvironment[$0] }.first { !$0.isEmpty }?
    .hasPrefix("zh")
    ?? false

  /// Runs the command line. Returns the exit status.
  static func run() -> Int32 {
    let words = Array(CommandLine.arguments.dropFirst())
    switch words.first {
    case "--version"?:
      write("quickvault-carrier \(version)\n", to: 1)
      return 0
    case "--help"?:
      write(text(help) + "\n", to: 1)
      return 0
    case "mirror"?:
      guard let options = Options(Array(words.dropFirst())) else { break }
      guard let address = WebAddress(options.address) else {
        write("quickvault-carrier: \(text(addressHint))\n", to: 2)
        return 64
      }
      return MirrorCommand.run(options, address)
    case "serve"? where words.count == 1: return Service.run()
    default: break
    }
    write(text(help) + "\n", to: 2)
    return 64
  }

  /// A text in the language of the environment.
  static func text(_ text: CarrierText) -> String { text.text(inChinese: inChinese) }

  static func write(_ text: String, to descriptor: Int32) {
    var text = text
    text.withUTF8 { _ = unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
  }
}

/// SIGINT, SIGTERM and SIGHUP, which cancel what is under way.
final class Signals: CancellationSource {
  private let descriptor = linux_signal_descriptor()
  private var hasArrived = false

  /// Returns whether a signal has arrived.
  func isCancelled() -> Bool {
    if !hasArrived { hasArrived = linux_next_signal(descriptor) != 0 }
    return hasArrived
  }

  /// Waits until a descriptor can be read, or throws ``CarrierError/cancelled`` when a signal arrives.
  func waitForInput(_ input: Int32) throws(CarrierError) {
    var queries = [input, descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    _ = unsafe poll(&queries, nfds_t(queries.count), -1)
    if isCancelled() { throw .cancelled }
  }

  /// Waits, or throws ``CarrierError/cancelled`` when a signal arrives.
  func wait(_ seconds: Int) throws(CarrierError) {
    var query = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    _ = unsafe poll(&query, 1, Int32(clamping: seconds * 1_000))
    if isCancelled() { throw .cancelled }
  }
}
