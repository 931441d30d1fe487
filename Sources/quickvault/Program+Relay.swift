import CLinux
import Glibc
import Service
import VaultInterface
import Wire

extension Program {
  /// Connects a client on standard input and output to the vault's service, which is started if there is none.
  static func relay(_ options: Options) -> Int32 {
    do {
      try Descriptors.fillStandardDescriptors()
      let place = try ServiceLocation(vault: options.vault, environment: { ProcessEnvironment[$0] })
      var greeting = Greeting(vault: place.vault, locale: locale, environment: { ProcessEnvironment[$0] })
      greeting.endsWithStatus = true
      let connection = try ServiceStart.connect(
        to: place, greeting, startingWith: serviceArguments(options, place))
      if options.isVerbose {
        printError("connected to process \(connection.process), version \(connection.version)")
      }
      let relay = Relay(input: 0, output: 1, connection)
      protect(options)
      try relay.start()
      confine(options)
      switch relay.run() {
      case .ended: return 0
      case .exitedEarly: return 1
      case .serviceDied:
        printError(.serviceDied(connection.process))
        return 1
      }
    } catch let error as ServiceStart.Failure {
      printError(.init(error))
      return 1
    } catch {
      printError("\(error)")
      return systemRefused
    }
  }

  /// The arguments of a service that is started for a client.
  private static func serviceArguments(_ options: Options, _ place: ServiceLocation) -> [String] {
    let workingDirectory = SystemPath.workingDirectory ?? "."
    let helpers = options.helpers.map { ["--helpers", $0.hasPrefix("/") ? $0 : "\(workingDirectory)/\($0)"] }
    let pinentry = options.pinentry.map { ["--pinentry", $0] }
    return ["serve", "--socket", "--background", "--vault", place.vault] + (helpers ?? []) + (pinentry ?? [])
  }

  /// Protects the memory. Not before the service has answered: it could not find out which program connects.
  private static func protect(_ options: Options) {
    let unprotected = Hardening.apply()
    if options.isVerbose { for failure in unprotected { printError("not protected: \(failure)") } }
  }

  private static func confine(_ options: Options) {
    guard linux_restrict_to_copying() != 0, options.isVerbose else { return }
    printError("not sandboxed: \(SystemError("seccomp"))")
  }
}
