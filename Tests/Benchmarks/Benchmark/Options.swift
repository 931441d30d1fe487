/// What the command line asks for.
struct Options: Equatable {
  /// The numbers of cards.
  var sizes = [1_000, 10_000, 100_000]
  /// Whether everything is done less often, so that it takes less than a minute.
  var isQuick = false
  /// The most cards that KeePassXC is given; 0 for not running it, nor pass.
  var otherCards = 10_000
  /// The server's program; nil for the one beside this program.
  var server: String?
  /// Where vaults are kept and results are written.
  var directory = ".build/benchmark"
  /// The project, where the results go into its documents; nil for nowhere.
  var record: String?
  var showsHelp = false

  static let help = """
    quickvault-benchmark - what QuickVault costs, beside what it cannot cost less than

    Usage: quickvault-benchmark [--quick | --full] [--sizes N,N] [--server PROGRAM] [--directory PATH]
                                [--without-others] [--record PROJECT]

      --quick           1,000 and 10,000 cards, few rounds, no other programs: under a minute
      --full            KeePassXC with 100,000 cards too, which takes minutes
      --sizes N,N       these numbers of cards, each at least 100
      --server PROGRAM  measure this build of the server instead of the one beside the benchmark
      --directory PATH  where vaults are kept and results.json and plot.svg are written; it must be on
                        the disk whose commits are to be measured (.build/benchmark)
      --without-others  no KeePassXC and no pass
      --record PROJECT  write what was measured into README.md, README.zh-CN.md and
                        Tests/Benchmarks/results of the project whose directory this is

    """

  /// Reads the arguments after the program's name.
  ///
  /// - Throws: ``BenchmarkError/usage(_:)`` at the first that means nothing.
  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--help", "-h": showsHelp = true
      case "--quick": (isQuick, sizes, otherCards) = (true, [1_000, 10_000], 0)
      case "--full": otherCards = .max
      case "--without-others": otherCards = 0
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
