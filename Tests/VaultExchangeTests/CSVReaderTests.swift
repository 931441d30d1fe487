import TestSamples
import Testing

@testable import VaultExchange

@Suite("Tables") struct CSVReaderTests {
  private func rows(_ text: String) throws -> [[String]] {
    try reading(text).map(\.cells)
  }

  private func reading(_ text: String) throws -> [CSVReader.Row] {
    var reader = CSVReader(Array(text.utf8))
    var rows: [CSVReader.Row] = []
    while let row = try reader.next() { rows.append(row) }
    return rows
  }

  @Test("Quoted cells hold separators, line breaks of any kind and doubled quotes, exactly")
  func quoted() throws {
    let text = "a,\"b,\"\"x\"\"\r\ny\rz\",\"\"\n\"\",c"
    #expect(try rows(text) == [["a", "b,\"x\"\r\ny\rz", ""], ["", "c"]])
  }

  @Test("Lines end in LF, CR LF or a lone CR", arguments: ["\n", "\r\n", "\r"])
  func lineEnds(_ end: String) throws {
    let read = try reading("a,b" + end + "1,2" + end + end + "\"x" + end + "y\",4" + end + "5,6" + end)
    #expect(read.map(\.cells) == [["a", "b"], ["1", "2"], ["x" + end + "y", "4"], ["5", "6"]])
    #expect(read.map(\.line) == [1, 2, 4, 6])
  }

  @Test(
    "The separator is what the first line has most of",
    arguments: [
      ("a;b,c;d\n1;2;3", [["a", "b,c", "d"], ["1", "2", "3"]]),
      ("a\tb\n1;2,3\t4", [["a", "b"], ["1;2,3", "4"]]),
      ("\"a;b;c\",d\n1,2", [["a;b;c", "d"], ["1", "2"]]),
      ("sep=;\r\na;b\r\n1,5;2", [["a", "b"], ["1,5", "2"]]),
      ("alone\nx,y", [["alone"], ["x", "y"]]),
    ])
  func separators(_ text: String, _ expected: [[String]]) throws {
    #expect(try rows(text) == expected)
  }

  @Test("Rows may be of any length, blank lines are none, and text behind a closing quote is kept")
  func ragged() throws {
    #expect(try rows("a,b\n\n1\n1,2,3\n\"x\"y,2\n") == [["a", "b"], ["1"], ["1", "2", "3"], ["xy", "2"]])
  }

  @Test("A quotation mark that is never closed ends the last row unfinished")
  func unfinished() throws {
    let read = try reading("a,b\n1,\"2\n3,4\n")
    #expect(read.map(\.isUnfinished) == [false, true])
    #expect(read.map(\.line) == [1, 2])
  }

  @Test("A row of more than 1,000 cells is refused")
  func longRow() {
    #expect(throws: ImportError.unreadable(.tooManyColumns, line: 2)) {
      try reading("a,b\n" + String(repeating: ",", count: 1_000))
    }
  }

  @Test("Written cells are read as the same cells")
  func roundTrip() throws {
    var generator = SeededGenerator(seed: 9)
    let pieces = ["a", "\"", ",", ";", "\t", "\n", "\r", "\r\n", "词", " ", "sep="]
    for _ in 0..<500 {
      let table = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
        (0..<3).map { _ in
          (0..<Int.random(in: 0...4, using: &generator)).map { _ in
            pieces[Int.random(in: 0..<pieces.count, using: &generator)]
          }.joined()
        }
      }
      var bytes: [UInt8] = []
      CSVWriter.write(["one", "two", "three"], to: &bytes)
      for row in table { CSVWriter.write(row, to: &bytes) }
      let read = try rows(String(decoding: bytes, as: UTF8.self))
      #expect(read == [["one", "two", "three"]] + table)
    }
  }
}
