import Foundation
import Vault
import VaultInterface

/// Prints one JSON object a line: a measurement each.
@main enum Program {
  private static let usage = """
    Usage: sync-simulation DIRECTORY REPLICAS CARDS CHANGES ROUNDS SEED [UNTIL]
           sync-simulation --return VAULT
           sync-simulation --join FOLDER VAULT

    """

  static func main() async {
    let words = Array(CommandLine.arguments.dropFirst())
    do {
      switch (words.first, words.count) {
      case ("--return", 2): try await comeBack(words[1])
      case ("--join", 3): try await join(words[1], words[2])
      default:
        guard 6...7 ~= words.count, let scale = Scale(Array(words[1..<6])),
          let until = words.count == 7 ? Int(words[6]) : scale.rounds, 1...scale.rounds ~= until
        else {
          FileHandle.standardError.write(Data(usage.utf8))
          exit(2)
        }
        let state = try SimulationState.load(from: words[0])
        try await simulate(Simulation(scale, in: words[0], state), until: until)
      }
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(1)
    }
  }

  /// Goes on with a simulation. If this is to stop before the end, another process can go on.
  private static func simulate(_ simulation: Simulation, until: Int) async throws {
    let scale = simulation.scale
    let start = ContinuousClock.now - .seconds(simulation.state.seconds)
    if simulation.state.rounds == 0 { try await simulation.begin() } else { try await simulation.unlock() }
    while simulation.state.rounds < until {
      let before = simulation.state.rounds
      try await simulation.runRound()
      let year = (before + 1) * 10 / scale.rounds
      if year > before * 10 / scale.rounds { try await printSizes(simulation, year: year, start) }
    }
    guard until == scale.rounds else { return try await simulation.stop(after: seconds(since: start)) }
    for machine in simulation.machines where machine.absence > 0 {
      await machine.lock()
      let figures = try output(["--return", machine.path])
      print("{\"return\": \(machine.absence * 520 / scale.rounds), \(figures)}")
      try await machine.unlock()
    }
    let joined = try output(["--join", simulation.folder, simulation.directory + "/joined.quickvault"])
    print("{\"join\": true, \(joined)}")
    let (faults, cards, copies) = try await simulation.compare()
    for fault in faults { FileHandle.standardError.write(Data("\(fault)\n".utf8)) }
    let folder = Simulation.size(of: simulation.folder)
    print(
      "{\"faults\": \(faults.count), \"cards\": \(cards), \"copies\": \(copies), \"folder\": \(folder), "
        + "\"snapshot\": \(try await simulation.snapshotSize()), \"seconds\": \(seconds(since: start))}")
    if !faults.isEmpty { exit(1) }
  }

  private static func printSizes(
    _ simulation: Simulation, year: Int, _ start: ContinuousClock.Instant
  ) async throws {
    var sizes: [String] = []
    for machine in simulation.machines {
      let (replica, snapshot, tail) = try await machine.publishedSizes()
      let changes = try FileManager.default.subpathsOfDirectory(atPath: simulation.folder).first {
        $0.hasSuffix("changes/\(replica)")
      }
      let stored = changes.map { Simulation.size(of: "\(simulation.folder)/\($0)") } ?? 0
      sizes.append("[\(stored), \(snapshot), \(tail)]")
    }
    print(
      "{\"year\": \(year), \"changes\": \(simulation.state.changes), "
        + "\"folder\": \(Simulation.size(of: simulation.folder)), "
        + "\"vault\": \(try vaultSize(simulation.machines[0].path)), "
        + "\"replicas\": [\(sizes.joined(separator: ", "))], \"seconds\": \(seconds(since: start))}")
    fflush(nil)
  }

  private static func vaultSize(_ path: String) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
  }

  // MARK: A process of its own

  private static func output(_ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw SimulationError("\(arguments) failed") }
    return text.trimmingCharacters(in: .newlines)
  }

  /// Unlocks a vault that was away, and synchronises it.
  private static func comeBack(_ path: String) async throws {
    let session = VaultSession(path: path, clock: SystemClock())
    try await session.unlock(password: SimulatedMachine.password)
    let start = ContinuousClock.now
    try await session.synchronize()
    printFigures(start)
  }

  private static func join(_ folder: String, _ path: String) async throws {
    let session = VaultSession(path: path, clock: SystemClock())
    let start = ContinuousClock.now
    _ = try await session.joinSync(UserPath(folder), password: SimulatedMachine.password, machine: "joined")
    printFigures(start)
  }

  private static func printFigures(_ start: ContinuousClock.Instant) {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
    let peak = Int(line.filter(\.isNumber)) ?? 0
    print("\"seconds\": \(seconds(since: start)), \"peak\": \(peak * 1_024)")
  }

  private static func seconds(since start: ContinuousClock.Instant) -> Double {
    let time = ContinuousClock.now - start
    return (Double(time.components.seconds) * 1e4 + Double(time.components.attoseconds / 100_000_000_000_000))
      .rounded() / 1e4
  }
}
