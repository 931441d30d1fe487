import Service
import Testing
import Wire

@Suite("Documents of an editor") struct DocumentTests {
  @Test("A: a position counts units of its encoding, and never splits a character")
  func positions() {
    let line: Substring = "a😀é中"
    for (encoding, ends) in [
      (PositionEncoding.utf8, [0, 1, 5, 7, 10]), (.utf16, [0, 1, 3, 4, 5]), (.utf32, [0, 1, 2, 3, 4]),
    ] {
      let prefixes = ["", "a", "a😀", "a😀é", "a😀é中"]
      for (prefix, end) in zip(prefixes, ends) {
        #expect(String(line[..<encoding.index(in: line, after: end)]) == prefix)
        #expect(encoding.length(of: prefix) == end)
      }
      #expect(encoding.index(in: line, after: 99) == line.endIndex)
      #expect(encoding.index(in: line, after: -1) == line.startIndex)
    }
    #expect(
      PositionEncoding.utf16.index(in: line, after: 2) == PositionEncoding.utf16.index(in: line, after: 1))
  }

  @Test("A: the first encoding that both know is used, and UTF-16 for a client that names none")
  func encodings() {
    #expect(PositionEncoding(offered: ["utf-7", "utf-32", "utf-8"]) == .utf32)
    #expect(PositionEncoding(offered: []) == .utf16)
    #expect(PositionEncoding(offered: ["utf-7"]) == .utf16)
  }

  @Test("A: lines end with LF, CR LF or CR")
  func lines() {
    let document = OpenDocument(version: 1, text: "one\ntwo\r\nthree\r\rfive")
    #expect((0..<6).map { document.line($0).map { String($0) } } == ["one", "two", "three", "", "five", nil])
    #expect(document.line(-1) == nil)
    #expect(OpenDocument(version: 1, text: "").line(0) == "")
    #expect(document.lines(with: ["e"]).map(\.number) == [0, 2, 4])
  }

  @Test("A: the place of a part of a line counts the units of its encoding")
  func places() throws {
    let document = OpenDocument(version: 3, text: "one\na😀;;x")
    let line = try #require(document.line(1))
    let part = try #require(line.firstIndex(of: ";"))..<line.endIndex
    for (encoding, ends) in [(PositionEncoding.utf8, [5, 8]), (.utf16, [3, 6]), (.utf32, [2, 5])] {
      let place = document.place(of: part, in: line, 1, of: "file:///a", encoding)
      #expect([place.range.start.character, place.range.end.character] == ends)
      #expect([place.range.start.line, place.range.end.line] == [1, 1])
      #expect(place.text == ";;x")
    }
  }

  @Test("A: the lines with a text are found, and no more of them than are asked for")
  func linesWithParts() {
    let document = OpenDocument(version: 1, text: "a;;\r\n\r\n;;b\rx\n；；\n{{qv:c}};;\n\n;;")
    let parts = [";;", "；；", "{{qv:"]
    let found = document.lines(with: parts)
    #expect(found.map(\.number) == [0, 2, 4, 5, 7])
    #expect(found.map { String($0.line) } == ["a;;", ";;b", "；；", "{{qv:c}};;", ";;"])
    #expect(document.lines(with: parts, limit: 65).map(\.number) == [0])
    #expect(document.lines(with: ["none"]).isEmpty)
  }

  @Test("A: parts of a line have the places that each has alone", arguments: PositionEncoding.allCases)
  func severalPlaces(_ encoding: PositionEncoding) throws {
    let document = OpenDocument(version: 3, text: "a😀;;x中;;yé;;")
    let line = try #require(document.line(0))
    var (ranges, rest): ([Range<String.Index>], Substring) = ([], line)
    while let range = rest.range(ofFirst: ";;") {
      ranges.append(range)
      rest = rest[range.upperBound...]
    }
    #expect(ranges.count == 3)
    #expect(
      document.places(of: ranges, in: line, 0, of: "u", encoding)
        == ranges.map { document.place(of: $0, in: line, 0, of: "u", encoding) })
  }

  @Test(
    "U A: a lock does not wait long for what an editor has open", .timeLimit(.minutes(1)),
    arguments: [
      (";;", 500_000), ("\n;;", 300_000), ("{{qv:a}}", 120_000), ("\n", 1_000_000), (";;x y", 200_000),
    ])
  func hostile(_ part: String, _ count: Int) throws {
    let client = try #require(LanguageClient(initialize: ["capabilities": ["textDocument": [:]]]))
    let text = String(repeating: part, count: count) + ";;"
    var documents = OpenDocuments()
    for number in 0..<16 {
      let document: JSON = ["uri": .string("u\(number)"), "version": 1, "text": .string(text)]
      _ = documents.take("textDocument/didOpen", ["textDocument": document])
    }
    let size = documents.remains(client).utf8.count
    #expect(size < 16 * 300_000)
  }

  @Test("U A: of an editor that was not admitted, no more is kept than it may have")
  func unadmitted() {
    var documents = OpenDocuments()
    for number in 0..<8 {
      let text = JSON.string(String(repeating: "x", count: 300_000))
      let document: JSON = ["uri": .string("u\(number)"), "version": 1, "text": text]
      _ = documents.take("textDocument/didOpen", ["textDocument": document], keeping: 1 << 20)
    }
    #expect((0..<8).filter { documents["u\($0)"] != nil } == [5, 6, 7])
  }

  @Test(
    "A R10: over a lock only words and placeholders are kept, where they stand",
    arguments: PositionEncoding.allCases)
  func remains(_ encoding: PositionEncoding) throws {
    let text = "secret 😀;;gs.tax secret\nsecret\r\n{{qv:A}}；；中文没有空格 ;;\n"
    let client = try #require(
      LanguageClient(initialize: [
        "capabilities": [
          "textDocument": [:], "general": ["positionEncodings": [.string(encoding.rawValue)]],
        ]
      ]))
    var open = OpenDocuments()
    for (uri, text) in [("a", text), ("b", "secret"), ("c", ";;secret")] {
      _ = open.take(
        "textDocument/didOpen", ["textDocument": ["uri": .string(uri), "version": 7, "text": .string(text)]])
    }
    open.didInsert("x;;secret", into: "c", client.triggers)
    let remains = open.remains(client)
    #expect(!remains.text.contains("secret"))
    let kept = OpenDocuments(try JSONReader.read(remains.utf8))
    #expect(kept["b"] == nil && kept["c"] == nil)
    let document = try #require(kept["a"])
    #expect(document.version == 7 && !document.isComplete)
    let whole = OpenDocument(version: 7, text: text)
    for number in 0..<3 {
      let (line, before) = (try #require(document.line(number)), try #require(whole.line(number)))
      for offset in 0...encoding.length(of: before) {
        for (word, expected) in [
          (
            TypedWord(in: line, at: offset, client.triggers, encoding),
            TypedWord(in: before, at: offset, client.triggers, encoding)
          ),
          (
            TypedWord(around: offset, in: line, client.triggers, encoding),
            TypedWord(around: offset, in: before, client.triggers, encoding)
          ),
        ] {
          #expect(word?.typed == expected?.typed)
          guard let word, let expected else { continue }
          #expect(
            document.place(of: word.range, in: line, number, of: "a", encoding)
              == whole.place(of: expected.range, in: before, number, of: "a", encoding))
        }
      }
    }
    #expect(document.line(2)?.contains("{{qv:A}}") == true)
  }

  @Test("A: a range of several lines")
  func ranges() {
    let document = OpenDocument(version: 1, text: "one\ntwo\nthree")
    func text(_ start: (Int, Int), _ end: (Int, Int)) -> String {
      let range = DocumentRange(
        start: Position(line: start.0, character: start.1), end: Position(line: end.0, character: end.1))
      return String(document.text(in: range, .utf16))
    }
    #expect(text((0, 1), (1, 2)) == "ne\ntw")
    #expect(text((0, 0), (9, 0)) == "one\ntwo\nthree")
    #expect(text((2, 0), (1, 0)) == "")
    #expect(text((9, 0), (10, 0)) == "")
  }

  @Test("A: a change brings the whole text; one of a part, or a text that is too long, ends what is known")
  func changes() {
    var documents = OpenDocuments()
    func change(_ changes: JSON, version: Int) -> String? {
      documents.take(
        "textDocument/didChange",
        ["textDocument": ["uri": "file:///a", "version": .integer(version)], "contentChanges": changes])
    }
    #expect(change([["text": "one"], ["text": "two"]], version: 2) == "file:///a")
    #expect(documents["file:///a"]?.line(0) == "two")
    #expect(documents["file:///a"]?.version == 2)
    #expect(change([["text": "three", "range": nil]], version: 2) == "file:///a")
    #expect(change([["text": "x", "range": ["start": ["line": 0, "character": 0]]]], version: 3) == nil)
    #expect(documents["file:///a"] == nil)
    let long = String(repeating: "x", count: OpenDocuments.maximumDocumentSize + 1)
    #expect(change([["text": .string(long)]], version: 4) == nil)
    #expect(documents["file:///a"] == nil)
    #expect(documents.take("textDocument/didOpen", nil) == nil)
  }

  @Test("A: the texts of the documents that changed longest ago are forgotten")
  func forgotten() {
    var documents = OpenDocuments()
    for number in 0...OpenDocuments.limit {
      _ = documents.take(
        "textDocument/didOpen", ["textDocument": ["uri": .string("\(number)"), "version": 1, "text": "x"]])
    }
    #expect(documents["0"] == nil)
    #expect(documents["1"] != nil)
  }
}
