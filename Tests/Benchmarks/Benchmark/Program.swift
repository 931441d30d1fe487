import CFloors
import Glibc
import Wire

/// The benchmark from its arguments to its exit status.
struct Program {
  let options: Options
  /// The directory of the programs that were built with this one.
  let programs: String

  /// Measures everything, prints the tables and writes the files.
  ///
  /// - Returns: the exit status.
  static func run() -> Int32 {
    signal(SIGPIPE, SIG_IGN)
    do {
      let options = try Options(Array(CommandLine.arguments.dropFirst()))
      if options.showsHelp {
        print(Options.help, terminator: "")
      } else {
        try Program(options: options, programs: ownDirectory()).measure()
      }
      return 0
    } catch let error as BenchmarkError {
      tell(error.description)
      if case .usage = error { return 64 }
      return 1
    } catch {
      tell("\(error)")
      return 1
    }
  }

  private func measure() throws {
    guard floor_prepare() == 0 else { throw BenchmarkError.floor("preparing libgcrypt") }
    if !Files.exists(options.directory) { try Files.makeDirectory(options.directory) }
    let server = options.server ?? programs + "/quickvault"
    let machine = Machine.description(server: server, directory: options.directory)
    var results = Results()
    for count in options.sizes { try measure(count, server, &results) }
    if options.otherCards > 0 { try measureOthers(&results) }
    results.notes += try unmeasured(server)

    for (name, value) in machine { print("- \(name): \(value)") }
    print("\n" + Table.text(of: results), terminator: "")
    try write(results.json(machine: machine).text + "\n", to: "results.json")
    try write(Plot(results).svg, to: "plot.svg")
    if let project = options.record { try record(results, machine, in: project) }
  }

  /// Writes the digest into both READMEs, and all results and the plot into `Tests/Benchmarks/results`.
  private func record(
    _ results: Results, _ machine: [(name: String, value: String)], in project: String
  ) throws {
    let digest = Digest(results: results, sizes: options.sizes, machine: machine)
    for (page, language) in [("README.md", Digest.Language.english), ("README.zh-CN.md", .chinese)] {
      let path = "\(project)/\(page)"
      try Files.write(Digest.replace(in: Files.read(path), with: digest.text(in: language)), to: path)
      tell("wrote \(path)")
    }
    let directory = "\(project)/Tests/Benchmarks/results"
    let overview = Overview(results: results, sizes: options.sizes)
    let page = Page(machine: machine, overview: overview.text, tables: Table.text(of: results))
    try Files.write(page.text, to: directory + "/README.md")
    try Files.write(Plot(results).svg, to: directory + "/plot.svg")
    tell("wrote \(directory)/README.md and plot.svg")
  }

  private func measure(_ count: Int, _ server: String, _ results: inout Results) throws {
    let files = VaultFiles(server: server, directory: options.directory)
    let original = try files.vault(of: count)
    let work = "\(options.directory)/run-\(getpid())"
    try Files.makeDirectory(work)
    defer { try? Files.remove(work) }
    try files.copy(of: original, to: work + "/vault.quickvault")
    tell("measuring \(count) cards")
    let bench = Bench(
      count: count, server: server, echo: programs + "/frame-echo", vault: work + "/vault.quickvault",
      directory: work, effort: options.isQuick ? .quick : .full)
    guard !options.isOnlyClients, !options.isOnlySync else {
      if options.isOnlyClients { try bench.measureClients() }
      if options.isOnlySync { try bench.measureSync() }
      return results.append(bench.results)
    }
    try bench.run()
    // The cost of an attachment does not depend on the number of cards.
    if count == options.sizes.first {
      try bench.measureAttachments()
      bench.results.latencies = try LockLatencies(server: server, directory: work).measure()
    }
    results.append(bench.results)
  }

  private func measureOthers(_ results: inout Results) throws {
    let work = "\(options.directory)/others-\(getpid())"
    try Files.makeDirectory(work)
    defer { try? Files.remove(work) }
    if KeePassXC.version != nil {
      for count in options.sizes where count <= options.otherCards {
        tell("measuring KeePassXC with \(count) cards")
        let program = KeePassXC(directory: work)
        if !options.isOnlyClients { try program.measure(cards: count, into: &results) }
        try program.measureShow(cards: count, into: &results)
      }
      let left = options.sizes.filter { $0 > options.otherCards }.map(grouped).joined(separator: ", ")
      if !left.isEmpty {
        results.notes.append(
          "KeePassXC was not measured with \(left) cards, which takes minutes: --full does")
      }
    } else {
      results.notes.append("KeePassXC is not installed")
    }
    guard PassStore.version != nil else { return results.notes.append("pass is not installed") }
    tell("measuring pass with \(PassStore.cards) cards")
    try PassStore.measure(searches: !options.isOnlyClients, into: &results)
  }

  /// Notes on works that are not measured, with the reason.
  private func unmeasured(_ server: String) throws -> [String] {
    let client = try Client(server: server, vault: options.directory + "/none.quickvault")
    try client.initialize()
    let methods = try client.methods()
    try client.end()
    return Bench.conditional.compactMap { work, method, isMeasured in
      if !methods.contains(method) { return "not measured: \(work) (the server has no \(method))" }
      return isMeasured ? nil : "not measured: \(work) (the benchmark cannot yet)"
    }
  }

  private func write(_ text: String, to name: String) throws {
    let path = "\(options.directory)/\(name)"
    try Files.write(text, to: path)
    tell("wrote \(path)")
  }

  /// The directory of this program.
  static func ownDirectory() throws -> String {
    guard let path = unsafe realpath("/proc/self/exe", nil) else {
      throw BenchmarkError.system(call: "realpath", number: errno)
    }
    defer { unsafe free(path) }
    let own = unsafe String(cString: path)
    return String(own[..<(own.lastIndex(of: "/") ?? own.startIndex)])
  }
}

/// Prints progress to standard error.
func tell(_ text: String) {
  let line = Array("quickvault-benchmark: \(text)\n".utf8)
  _ = unsafe line.withUnsafeBytes { unsafe write(2, $0.baseAddress, $0.count) }
}
