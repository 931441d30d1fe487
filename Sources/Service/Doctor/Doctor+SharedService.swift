import Glibc
import VaultInterface
import Wire

extension Doctor {
  /// Whether a service shares the vault, and whether clients can reach it (U).
  var sharedService: Finding {
    let subject = Localized("Shared service", "共享服务")
    func finding(_ state: Finding.State, _ found: Localized, _ advice: Localized? = nil) -> Finding {
      Finding("shared.service", subject, state, found, advice: advice)
    }
    let place: ServiceLocation
    do {
      place = try ServiceLocation(vault: vault, environment: environment)
    } catch {
      return finding(.missing, Localized(verbatim: "\(vault): \(error)"))
    }
    do throws(ServiceConnection.Failure) {
      let greeting = Greeting(vault: place.vault, locale: "C")
      guard let connection = try ServiceConnection.open(place, greeting) else {
        return finding(
          .ok,
          Localized(
            "none runs; it would listen on \(place.socket)", "没有运行；将在 \(place.socket) 上监听"))
      }
      close(connection.descriptor)
      let (process, version) = (connection.process, connection.version)
      guard version == Server.version else {
        return finding(
          .failed,
          Localized(
            "process \(process) is still of version \(version), and the program of \(Server.version)",
            "进程 \(process) 仍是版本 \(version)，而程序已是 \(Server.version)"),
          Localized(
            "quit all clients of the vault, or run: kill \(process); the next client starts the new version",
            "请退出此保险库的所有客户端，或运行 kill \(process)；下一个客户端会启动新版本"))
      }
      return finding(
        .ok,
        Localized("runs as process \(process)", "正在运行，进程 \(process)"))
    } catch {
      return finding(.failed, Localized(error))
    }
  }
}
