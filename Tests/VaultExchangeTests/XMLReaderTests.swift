import Testing

@testable import VaultExchange

@Suite("XML") struct XMLReaderTests {
  private func events(_ text: String) throws(ImportError) -> [XMLReader.Event] {
    var reader = XMLReader(Array(text.utf8))
    var events: [XMLReader.Event] = []
    while let event = try reader.next() { events.append(event) }
    return events
  }

  private func text(_ document: String) throws(ImportError) -> String {
    var text = ""
    for event in try events(document) {
      if case .text(let piece) = event { text += piece }
    }
    return text
  }

  @Test("Elements, attributes, comments and instructions")
  func elements() throws {
    let document =
      "<?xml version='1.0'?>\n<!-- <x> -->\n<a b='1' c=\"&lt;2>\"><d/>t<!-- - --></a >\n<!-- end -->\n"
    #expect(
      try events(document) == [
        .start("a", attributes: ["b": "1", "c": "<2>"]), .start("d", attributes: [:]), .end("d"), .text("t"),
        .end("a"),
      ])
  }

  @Test(
    "Text with its references",
    arguments: [
      ("<a>&amp;&lt;&gt;&quot;&apos;&#65;&#x4e2d;&#10;</a>", "&<>\"'A中\n"),
      ("<a>x<![CDATA[<b>&amp;]]]]>y</a>", "x<b>&amp;]]y"), ("<a>1\r\n2\r3\n</a>", "1\n2\n3\n"),
      ("<a> 词 </a>", " 词 "),
    ])
  func text(_ document: String, _ expected: String) throws {
    #expect(try text(document) == expected)
  }

  @Test(
    "What is not well-formed is refused",
    arguments: [
      "<a>", "<a></b>", "<a></a><b/>", "x<a/>", "<a/>x", "<a b=1/>", "<a b='1'c='2'/>", "<a b='1' b='2'/>",
      "<a>&x;</a>",
      "<a>&amp</a>", "<a>&#0;</a>", "<a>&#xD800;</a>", "<a>&#x110000;</a>", "<a>&#99999999999;</a>",
      "<a>\u{1}</a>",
      "<a><![CDATA[x</a>", "<!-- ", "", "<", "< a/>", "<a", "<a b", "<a b='<'/>", "</a>",
    ])
  func malformed(_ document: String) {
    #expect(throws: ImportError.unreadable(.malformed, line: 1)) { try events(document) }
  }

  @Test("A document type is refused before anything in it could grow or be fetched")
  func documentType() {
    let bomb =
      "<?xml version=\"1.0\"?>\n<!DOCTYPE a [<!ENTITY b \"bbb\"><!ENTITY c \"&b;&b;&b;\">]>\n<a>&c;</a>"
    #expect(throws: ImportError.unreadable(.documentType, line: 2)) { try events(bomb) }
    let outside = "<!DOCTYPE a SYSTEM \"file:///etc/passwd\"><a/>"
    #expect(throws: ImportError.unreadable(.documentType, line: 1)) { try events(outside) }
  }

  @Test("Elements may lie 128 deep in one another, and no deeper")
  func nesting() throws {
    let deep = { String(repeating: "<a>", count: $0) + String(repeating: "</a>", count: $0) }
    #expect(try events(deep(128)).count == 256)
    #expect(throws: ImportError.unreadable(.nestingTooDeep, line: 1)) { try events(deep(129)) }
    #expect(throws: ImportError.unreadable(.nestingTooDeep, line: 1)) {
      try events(String(repeating: "<a>", count: 1_000_000))
    }
  }
}
