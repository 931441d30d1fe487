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
}
