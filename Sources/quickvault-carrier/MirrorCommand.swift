import Glibc
import HelperProtocols
import WebCarrier
import Wire

/// Runs `quickvault-carrier mirror`: one pass.
enum MirrorCommand {
  /// Returns the exit status.
  static func run(_ options: Options, _ address: WebAddress) -> Int32 {
    Sandbox.protectMemory()
    let signals = Signals()
    do {
      let credentials = try self.credentials(options, signals)
      let outcome = try carry(options, address, credentials, signals)
      let failure = outcome.failures.first
      if options.writesJSON {
        Program.write(line(outcome.answer.json.adding(failure)), to: 1)
      } else {
        Program.write(Program.text(outcome.message) + "\n", to: 1)
        if let failure {
          let text = Program.text(failure.error.message)
          Program.write("quickvault-carrier: \(failure.file): \(text)\n", to: 2)
        }
      }
      return outcome.damaged.isEmpty ? failure?.error.exitStatus ?? 0 : 65
    } catch {
      return fail(error, options)
    }
  }

  private static func carry(
    _ options: Options, _ address: WebAddress, _ credentials: Credentials?, _ signals: Signals
  ) throws(CarrierError) -> MirrorOutcome {
    let authorities = try options.authorities.map { (file) throws(CarrierError) in
      try MirrorPass.absolute(file, orElse: CarrierError.certificateFile)
    }
    Sandbox.restrictCalls()
    let environment = WebEnvironment(authorities: authorities, stall: options.timeout, cancellation: signals)
    let showsProgress = isatty(2) == 1 && !options.writesJSON
    return try MirrorPass.run(
      options.folder, address, credentials, environment, listsAll: options.listsAll
    ) { done, total in
      if showsProgress { Program.write("\r\(done)/\(total)" + (done == total ? "\n" : ""), to: 2) }
    }
  }

  private static func credentials(
    _ options: Options, _ signals: Signals
  ) throws(CarrierError) -> Credentials? {
    if let descriptor = options.token {
      guard let token = try Secret.read(from: descriptor, signals), token.isToken else { throw .refused }
      return .token(token)
    }
    guard let user = options.user else { return nil }
    let prompt = Program.text(CarrierText("Password of \(user): ", "\(user) 的密码："))
    let password =
      if let descriptor = options.password {
        try Secret.read(from: descriptor, signals)
      } else {
        try Secret.ask(prompt, signals)
      }
    guard let password else { throw .refused }
    return .password(user: user, password: password)
  }

  private static func fail(_ error: CarrierError, _ options: Options) -> Int32 {
    if options.writesJSON {
      Program.write(line(["error": error.json]), to: 1)
    } else {
      Program.write("quickvault-carrier: \(Program.text(error.message))\n", to: 2)
    }
    return error.exitStatus
  }

  private static func line(_ value: JSON) -> String { value.text + "\n" }
}

extension MirrorOutcome {
  var answer: CarrierMirror.Response {
    CarrierMirror.Response(
      sent: sent, received: received, removedThere: removedThere, removedHere: removedHere,
      bytesSent: bytesSent, bytesReceived: bytesReceived, damaged: damaged,
      damagedThere: damagedThere, failed: failures, notice: notice)
  }
}

extension JSON {
  /// The object with the first failure as its error, as for a pass that failed as a whole.
  fileprivate func adding(_ failure: CarrierMirror.Failure?) -> JSON {
    guard let failure else { return self }
    return .object(members + [.init("error", failure.error.json)])
  }
}
