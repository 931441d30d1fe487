import Testing
import VaultInterface

@Suite("Placeholders in documents") struct PlaceholderTests {
  @Test("A Placeholders in a line, with their places in bytes")
  func placeholders() {
    let found = Placeholder.all(in: "é{{qv:公司发票.taxId}} {{qv: a }}{{qv:}}{{qv:b")
    #expect(found.map(\.name) == ["公司发票.taxId", "a"])
    #expect(found.first?.bytes == 2..<27)
    #expect(
      Placeholder.parts(of: "St. Mary. tax id").map { [$0.title, $0.field] } == ["St. Mary", "tax id"])
    #expect(Placeholder.parts(of: "a.") == nil)
    #expect(Placeholder.parts(of: "a") == nil)
  }

  @Test(
    "O References in a line, and what is between them",
    arguments: [
      ("qv://Data%20base/a%2Fb.", [.reference(.field("a/b", card: "Data base")), .text(".")]),
      ("u:qv://库/密码@h", [.text("u:"), .reference(.field("密码", card: "库")), .text("@h")]),
      (
        "“qv://a/b”，{{qv:a.b}}",
        [.text("“"), .reference(.field("b", card: "a")), .text("”，"), .reference(.name("a.b"))]
      ),
      ("xqv://a/b qv:/ {{ qv", [.text("xqv://a/b qv:/ {{ qv")]),
    ] as [(String, [Reference.Part])])
  func references(_ line: String, _ expected: [Reference.Part]) {
    #expect(Reference.parts(of: line[...]).filter { $0 != .text("") } == expected)
  }

  @Test(
    "O A reference without a card, a field or an end",
    arguments: [
      "qv://a", "qv://a/", "qv:///b", "qv://a/b/c", "qv://%zz/b", "qv://%FF/b", "qv://%20/b", "qv://a%2/b",
      "{{qv:}}", "qv://a/b {{qv:a",
    ])
  func malformed(_ line: String) {
    #expect(Reference.parts(of: line[...]).filter { $0 != .text("") } == [.malformed])
  }

  @Test(
    "A Of many placeholders in a line those are found that are nearest to a place, whatever stands between them"
  )
  func near() throws {
    let line = (0..<100_000).map { "é{{qv:\($0)}}" }.joined()[...]
    for number in [0, 3, 50_000, 99_998, 99_999] {
      let place = try #require(line.range(ofFirst: "{{qv:\(number)}}"))
      let found = Placeholder.near(place.upperBound, in: line, count: 30)
      #expect(found.count == 30)
      let one = try #require(found.first { $0.name == "\(number)" })
      #expect(one.bytes.lowerBound == line.utf8.distance(from: line.startIndex, to: place.lowerBound))
      #expect(found.map(\.bytes.lowerBound) == found.map(\.bytes.lowerBound).sorted())
    }
    let short: Substring = "a {{qv:b}} {{qv:c}}"
    for place in [short.startIndex, short.endIndex] {
      #expect(Placeholder.near(place, in: short, count: 30) == Placeholder.all(in: short))
    }
    let wide = Substring(String(repeating: "中", count: 20_000) + "{{qv:b}}")
    #expect(Placeholder.near(wide.startIndex, in: wide, count: 30).isEmpty)
  }
}
