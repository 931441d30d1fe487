import Foundation
import TestSamples
import Vault
import VaultInterface
import Wire

/// Machines that synchronise one vault over one folder for ten years.
final class Simulation {
  /// In how many of a hundred rounds a machine synchronises before it writes.
  private static let online = 80

  let scale: Scale
  let directory: String
  let machines: [SimulatedMachine]
  private let clock: SimulatedClock
  private let processors = ProcessInfo.processInfo.activeProcessorCount
  private(set) var state: SimulationState

  var folder: String { directory + "/folder" }

  /// - Parameter state: what an earlier process left in the directory.
  init(_ scale: Scale, in directory: String, _ state: SimulationState?) {
    (self.scale, self.directory) = (scale, directory)
    self.state = state ?? SimulationState(seed: scale.seed)
    let clock = SimulatedClock(passed: self.state.time)
    self.clock = clock
    machines = (0..<scale.replicas).map { number in
      // The last three are away at the end: for a year, four weeks and a week.
      let absences = [scale.replicas - 1: 52, scale.replicas - 2: 4, scale.replicas - 3: 1]
      let absence = number == 0 ? 0 : (absences[number] ?? 0) * scale.rounds / 520
      return SimulatedMachine(
        "machine-\(number)", in: directory, presence: number % 5 == 4 ? 30 : 90, absence: absence,
        clock: clock)
    }
  }

  /// Makes the vault with its cards on the first machine; the others join.
  func begin() async throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let first = machines[0]
    try await first.create()
    for number in 0..<scale.cards { state.append(try await first.create(number)) }
    let folder = folder
    try await first.enableSync(folder)
    try await concurrently(machines.dropFirst()) { try await $0.join(folder) }
  }

  /// Goes on with the vaults that an earlier process left.
  func unlock() async throws {
    try await concurrently(machines[...]) { try await $0.unlock() }
  }

  /// Leaves the vaults to another process.
  ///
  /// - Parameter seconds: how long all processes have worked.
  func stop(after seconds: Double) async throws {
    for machine in machines { await machine.lock() }
    (state.time, state.seconds) = (clock.boot, seconds)
    try state.save(in: directory)
  }

  /// Lets all machines that are there synchronise and write, in random order, as many at once as there are processors. What one
  /// of these sees of another is left to chance. Some write before they synchronise, as without a network.
  func runRound() async throws {
    let round = state.rounds
    let due = scale.changes * (round + 1) / scale.rounds - state.changes
    var there = machines.filter { machine in
      round < scale.rounds - machine.absence && state.random.number(0..<100) < machine.presence
    }
    if there.isEmpty { there = [machines[0]] }
    there.shuffle(using: &state.random)
    let turns = there.enumerated().map { place, machine in
      let numbers = due * place / there.count..<due * (place + 1) / there.count
      let isOnline = state.random.number(0..<100) < Self.online
      return (machine, state.turn(isOnline: isOnline, numbers: numbers, cards: scale.cards))
    }
    let writes = try await concurrently(turns[...]) { machine, turn in try await machine.take(turn) }
    state.note(writes.flatMap(\.self))
    clock.advance(milliseconds: 3_640 * 86_400_000 / Int64(scale.rounds))
    state.rounds += 1
  }

  /// Synchronises until everybody has everything, and compares all vaults.
  ///
  /// - Returns: what is wrong; the number of cards; that of conflict copies.
  func compare() async throws -> (faults: [String], cards: Int, copies: Int) {
    for _ in 0..<3 { try await concurrently(machines[...]) { try await $0.synchronize() } }
    let expected = try await machines[0].cards()
    var faults = try await concurrently(machines[...]) { machine in
      var faults: [String] = []
      let late = try await machine.synchronize().others.filter { $0.problem != nil || $0.behind > 0 }
      if !late.isEmpty { faults.append("\(machine.name): behind or with problems: \(late.count)") }
      if try await !machine.isIntact() { faults.append("\(machine.name): not intact") }
      if try await machine.cards() != expected { faults.append("\(machine.name): diverged") }
      return faults
    }.flatMap(\.self)
    let lost = state.written.missing(in: expected.map(\.title))
    if lost > 0 { faults.append("lost: \(lost)") }
    return (faults, expected.count, expected.filter { WrittenTitles.plain($0.title) != $0.title }.count)
  }

  /// Does the same work for each element, such as a machine; for as many at once as there are processors.
  @discardableResult private func concurrently<Element: Sendable, Value: Sendable>(
    _ elements: ArraySlice<Element>, _ work: @escaping @Sendable (Element) async throws -> Value
  ) async throws -> [Value] {
    try await withThrowingTaskGroup(of: Value.self) { group in
      var (values, waiting) = ([Value](), elements)
      for element in waiting.prefix(processors) { group.addTask { try await work(element) } }
      waiting = waiting.dropFirst(processors)
      while let value = try await group.next() {
        values.append(value)
        if let element = waiting.popFirst() { group.addTask { try await work(element) } }
      }
      return values
    }
  }

  /// Publishes a copy of the first vault over another folder, which then holds one snapshot.
  ///
  /// - Returns: the size of that folder, in bytes.
  func snapshotSize() async throws -> Int {
    let fresh = directory + "/fresh"
    try FileManager.default.createDirectory(atPath: fresh, withIntermediateDirectories: true)
    try await machines[0].disableSync()
    try await machines[0].enableSync(fresh)
    return Self.size(of: fresh)
  }

  static func size(of directory: String) -> Int {
    let files = FileManager.default.enumerator(
      at: URL(filePath: directory), includingPropertiesForKeys: [.fileSizeKey, .isRegularFileKey])
    var size = 0
    while let file = files?.nextObject() as? URL {
      let values = try? file.resourceValues(forKeys: [.fileSizeKey, .isRegularFileKey])
      if values?.isRegularFile == true { size += values?.fileSize ?? 0 }
    }
    return size
  }
}
