import Testing
import Wire

@testable import quickvault_benchmark

@Suite struct ReportTests {
  private let summary = Summary(count: 9, least: 1, tenth: 2, median: 3_000_000, ninetieth: 4_000_000)

  @Test("ratios are to the floor, to the target and to other programs")
  func ratios() throws {
    let half = Summary(once: 1_500_000)
    var create = Measurement(work: .create, cards: 1_000, summary: summary, floor: (.commit, half))
    create.others[.keePassXC] = Summary(once: 30_000_000)
    #expect(create.timesFloor == 2)
    #expect(try #require(create.timesTarget) == 2 / 1.5)
    #expect(create.advantage(over: .keePassXC) == 10)
    #expect(create.advantage(over: .pass) == nil)
    create.others[.imageMagick] = Summary(once: 6_000_000)
    #expect(create.advantage(over: .imageMagick) == 2)
    #expect(Table.verdict(create) == "NO, missed by 33.3 %")

    let search = Measurement(work: .searchNothing, cards: 10_000, summary: summary)
    #expect(search.timesTarget == 0.5)
    #expect(Table.verdict(search) == "yes, 0.50")
    #expect(Measurement(work: .get, cards: 10_000, summary: summary).timesTarget == nil)
  }

  @Test("targets are set for their numbers of cards")
  func figures() {
    #expect(Work.searchNothing.target(cards: 1_000) == .atMost(800_000))
    #expect(Work.searchNothing.target(cards: 100_000) == .atMost(60_000_000))
    #expect(Work.searchNothing.target(cards: 5_000) == nil)
    #expect(Work.unlock.target(cards: 10_000) == .atMost(12_000_000))
    #expect(Work.memoryUnlocked.target(cards: 100_000) == .atMost(40 * 1_048_576))
    #expect(Work.firstPage.target(cards: 100_000) == .atMost(1_000_000))
    #expect(Work.roundTrip.target(cards: 1_000) == .timesFloor(2))
    #expect(Work.create.target(cards: 100_000) == .timesFloor(1.5))
    #expect(Work.start.target(cards: 1_000) == .atMost(10_000_000))
    #expect(Work.lock.target(cards: 1_000) == .atMost(10_000_000))
    #expect(Work.attachPath.target(cards: 1_000) == .timesFloor(4))
    #expect(Work.exportPath.target(cards: 100) == .timesFloor(4))
    #expect(Work.marking.target(cards: 1_000) == .atMost(1_000_000_000))
    #expect(Work.thumbnail.target(cards: 1_000) == .atMost(200_000_000))
  }

  @Test(
    "three digits that mean something",
    arguments: [
      (0, "0.00"), (1.234, "1.23"), (1.05, "1.05"), (9.994, "9.99"), (9.996, "10.0"), (12.34, "12.3"),
      (99.96, "100"), (123.4, "123"), (1_234_567, "1,234,567"), (-1.5, "-1.50"), (-0.001, "0.00"),
      (.infinity, "?"),
    ] as [(Double, String)])
  func digits(value: Double, text: String) {
    #expect(Quantity.digits(value) == text)
  }

  @Test("units fit the quantity")
  func units() {
    #expect(Quantity.time(950) == "950 ns")
    #expect(Quantity.time(12_300) == "12.3 µs")
    #expect(Quantity.time(-2_500_000) == "-2.50 ms")
    #expect(Quantity.time(9_092_000_000) == "9,092 ms")
    #expect(Quantity.time(12_000_000_000) == "12.0 s")
    #expect(Quantity.bytes(20 * 1_048_576) == "20.0 MiB")
    #expect(Quantity.bytes(2_560) == "2.50 KiB")
  }

  @Test("a table's columns are aligned")
  func table() {
    #expect(
      Table.aligned([["a", "wide"], ["µµµ", ""]]) == "| a   | wide |\n| --- | ---- |\n| µµµ |      |\n")
  }

  @Test("results as JSON say what was measured, and the plot has a line for each work")
  func files() throws {
    var results = Results()
    for cards in [1_000, 10_000] {
      results.add(.create, cards, summary, floor: (.commit, Summary(once: 1_500_000)))
      results.add(.memoryUnlocked, cards, Summary(once: 1_048_576))
    }
    results.add(.keePassXC, .create, 1_000, Summary(once: 30_000_000))
    let json = try JSONReader.read(results.json(machine: [("kernel", "6.1")]).utf8)
    #expect(json["machine"]?["kernel"] == "6.1")
    guard case .array(let measurements)? = json["measurements"] else {
      throw BenchmarkError.wrong("no array")
    }
    #expect(measurements.count == 4)
    #expect(measurements[0]["median"]?.integer == 3_000_000)
    #expect(measurements[0]["timesFloorThousandths"]?.integer == 2_000)
    #expect(measurements[0]["meetsTarget"] == false)
    #expect(measurements[0]["KeePassXC"]?["median"]?.integer == 30_000_000)
    #expect(measurements[1]["unit"] == "bytes")
    guard case .array(let floors)? = json["floors"] else { throw BenchmarkError.wrong("no array") }
    #expect(floors.count == 2)

    let plot = Plot(results)
    #expect(plot.series.map(\.name) == ["create, durable", "KeePassXC: create, durable"])
    #expect(plot.svg.contains("stroke-dasharray"))
    #expect(!plot.svg.contains("nan") && !plot.svg.contains("inf"))
  }

  private var results: Results {
    var results = Results()
    for cards in [1_000, 10_000] {
      results.add(
        .create, cards, summary, floor: (.commit, Summary(once: cards == 1_000 ? 2_500_000 : 1_500_000)))
      results.add(
        .memorySearched, cards, Summary(once: 1_048_576), floor: (.before, Summary(once: 1_048_576)))
    }
    results.add(.keePassXC, .create, 1_000, Summary(once: 30_000_000))
    return results
  }

  @Test("the overview has floors, targets and other programs")
  func overview() {
    #expect(
      Overview(results: results, sizes: [1_000, 10_000]).text == """
        |  | 1,000 cards | 10,000 | floor | target | KeePassXC |
        | --- | --- | --- | --- | --- | --- |
        | create, durable | 3.00 ms | 3.00 ms | a bare one-row SQLite commit: 2.50 ms, 1.50 ms | 1.50 × floor; missed by 33.3 % at 10,000 | 30.0 ms |
        | memory after a search (RSS) | 1.00 MiB | 1.00 MiB | memory before the search: 1.00 MiB, 1.00 MiB | 1.05 × floor: met |  |

        """)
  }

  @Test("the digest has what users care about, in both languages, and takes its place on a page")
  func digest() throws {
    let digest = Digest(
      results: results, sizes: [1_000, 10_000], machine: [("kernel", "6.1"), ("system", "Debian")])
    let english = digest.text(in: .english)
    #expect(
      english == """
        Medians on Debian:

        |  | 1,000 cards | 10,000 cards | KeePassXC, 1,000 cards |
        | --- | --- | --- | --- |
        | save a new card to disk | 3.00 ms | 3.00 ms | 30.0 ms |

        """)
    #expect(digest.text(in: .chinese).contains("| 新建卡片并写入磁盘 | 3.00 ms | 3.00 ms | 30.0 ms |"))
    #expect(Digest.works.count == 5 && Digest.works.allSatisfy { Digest.Words.titles[$0] != nil })

    let page = "a\n\(Digest.beginning)old\n\(Digest.end)b\n"
    let renewed = try Digest.replace(in: page, with: english)
    #expect(renewed == "a\n\(Digest.beginning)\(english)\(Digest.end)b\n")
    #expect(try Digest.replace(in: renewed, with: "old\n") == page)
    for wrong in ["", Digest.beginning, Digest.end, Digest.end + Digest.beginning, page + page] {
      #expect(throws: BenchmarkError.self) { _ = try Digest.replace(in: wrong, with: "") }
    }
  }

  @Test("the command line")
  func options() throws {
    #expect(try Options([]).sizes == [1_000, 10_000, 100_000])
    #expect(try Options(["--quick"]).sizes == [1_000, 10_000])
    #expect(try Options(["--sizes", "500,100"]).sizes == [100, 500])
    #expect(try Options(["--full"]).otherCards == .max)
    #expect(try Options(["--record", "."]).record == ".")
    for wrong in [
      ["--fast"], ["--sizes"], ["--sizes", "0"], ["--sizes", "many"], ["--sizes", "1000,many"],
    ] {
      #expect(throws: BenchmarkError.self) { _ = try Options(wrong) }
    }
  }
}
