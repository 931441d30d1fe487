/// The options of the command line.
struct Options: Equatable {
  /// The numbers of cards.
  var sizes = [1_000, 10_000, 100_000]
  /// Whether to measure few rounds, in less than a minute.
  var isQuick = false
  /// Whether to measure the command line and editors alone.
  var isOnlyClients = false
  /// Whether to measure synchronisation alone.
  var isOnlySync = false
  /// The greatest number of cards to measure KeePassXC with; 0 measures no other program.
  var otherCards = 10_000
  /// The path of the server; nil means the one beside this program.
  var server: String?
  /// The directory for vaults and results.
  var directory = ".build/benchmark"
  /// The directory of the project whose documents take the results; nil records nothing.
  var record: String?
  var showsHelp = false

  static let help = """
    quickvault-benchmark - measure QuickVault, and compare it with floors and other programs

    Usage: quickvault-benchmark [--quick | --full] [--sizes N,N] [--server PROGRAM] [--directory PATH]
                                [--without-others] [--clients | --sync] [--record PROJECT]

      --quick           measure 1,000 and 10,000 cards in few rounds, without other programs: a minute
      --full            measure KeePassXC with 100,000 cards too, which takes minutes
      --sizes N,N       measure these numbers of cards, each at least 100
      --server PROGRAM  measure this program instead of the one beside the benchmark
      --directory PATH  keep vaults here and write results.json and plot.svg here (.build/benchmark); use the
                        disk whose commits you want to measure
      --without-others  do not measure KeePassXC and pass
      --clients         measure the command line and editors alone, and other programs that print a field
      --sync            measure synchronisation alone
      --record PROJECT  write the results into README.md, README.zh-CN.md and Tests/Benchmarks/results of the
                        project in this directory

    """

  /// Reads the arguments after the program's name.
  ///
  /// - Throws: ``BenchmarkError/usage(_:)`` at the first unknown or malformed one.
  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--help", "-h": showsHelp = true
      case "--quick": (isQuick, sizes, otherCards) = (true, [1_000, 10_000], 0)
      case "--full": otherCards = .max
      case "--without-others": otherCards = 0
      case "--clients": isOnlyClients = true
      case "--sync": (isOnlySync, otherCards) = (true, 0)
      case "--server": server = try Self.value(of: argument, &rest)
      case "--record": record = try Self.value(of: argument, &rest)
      case "--directory": directory = try Self.value(of: argument, &rest)
      case "--sizes": sizes = try Self.sizes(Self.value(of: argument, &rest))
      default: throw BenchmarkError.usage("unknown option: \(argument)")
      }
    }
  }

  private static func value(of option: String, _ rest: inout ArraySlice<String>) throws -> String {
    guard let value = rest.popFirst(), !value.isEmpty else {
      throw BenchmarkError.usage("\(option) needs a value")
    }
    return value
  }

  private static func sizes(_ text: String) throws -> [Int] {
    let words = text.split(separator: ",")
    let sizes = words.compactMap { Int($0) }
    guard !sizes.isEmpty, sizes.count == words.count, sizes.allSatisfy({ (100...1_000_000).contains($0) })
    else {
      throw BenchmarkError.usage("--sizes needs numbers from 100 to 1000000")
    }
    return sizes.sorted()
  }
}
