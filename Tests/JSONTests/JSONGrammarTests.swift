import Testing
import Wire

/// The grammar of RFC 8259, rule by rule: what is read, and as what.
@Suite struct JSONGrammarTests {
  @Test(
    "what the grammar allows is read",
    arguments: [
      ("null", .null), ("true", true), ("false", false), (" \t\r\n1 \t\r\n", 1), ("\"\"", ""), ("[]", []),
      ("[ ]", []), ("{}", [:]), ("{\n}", [:]), ("[1]", [1]), ("[1,2]", [1, 2]), ("[ 1 , 2 ]", [1, 2]),
      ("[[],{}]", [[], [:]]), ("[null,1,\"1\",{}]", [nil, 1, "1", [:]]), ("{\"a\":1}", ["a": 1]),
      ("{ \"a\" : 1 , \"b\" : [ ] }", ["a": 1, "b": []]), ("{\"a\":1,\"a\":2}", ["a": 1, "a": 2]),
      ("{\"\":0}", ["": 0]), ("{\"\\u0000\":0}", ["\u{0}": 0]), ("\"a/b\"", "a/b"), ("\"\u{7F}\"", "\u{7F}"),
      ("\"\u{2028}\u{2029}\"", "\u{2028}\u{2029}"), ("\"税务 😀\"", "税务 😀"), ("\"'\"", "'"), ("0", 0),
      ("\" \"", " "), ("\"/* no comment */\"", "/* no comment */"),
    ] as [(String, JSON)])
  func accepts(text: String, expected: JSON) throws {
    #expect(try JSONReader.read(Array(text.utf8)) == expected)
  }

  @Test(
    "what the grammar forbids is refused at its byte",
    arguments: [
      ("", 0), (" ", 1), ("\n\t", 2), ("nul", 3), ("nulL", 3), ("True", 0), ("truee", 4), ("NaN", 0),
      ("Infinity", 0), ("-Infinity", 1), ("undefined", 0), ("'a'", 0), ("\u{FEFF}1", 0), ("[", 1), ("]", 0),
      ("[1", 2), ("[1,", 3), ("[1,]", 3), ("[,1]", 1), ("[,]", 1), ("[1,,2]", 3), ("[1 2]", 3), ("[1;2]", 2),
      ("[1}", 2), ("[1]]", 3), ("[] []", 3), ("{", 1), ("}", 0), ("{1:1}", 1), ("{a:1}", 1), ("{'a':1}", 1),
      ("{\"a\"}", 4), ("{\"a\" 1}", 5), ("{\"a\"::1}", 5), ("{\"a\":}", 5), ("{\"a\":1,}", 7), ("{,}", 1),
      ("{\"a\":1 \"b\":2}", 7), ("{\"a\":1]", 6), ("{\"a\":1}}", 7), ("{\"a\":1}#", 7), ("{null:1}", 1),
      ("1 2", 2), ("1,", 1), ("//\n1", 0), ("/**/1", 0), ("1//", 1), ("#1", 0), ("\u{A0}1", 0),
      ("\u{0B}1", 0),
      ("\u{0C}1", 0), ("1\u{0}", 1), ("\u{0}", 0), ("\u{2028}1", 0),
    ])
  func refuses(text: String, offset: Int) {
    #expect(throws: JSONReader.ReadingError.malformed(offset: offset)) {
      try JSONReader.read(Array(text.utf8))
    }
  }

  @Test(
    "a number keeps its text to the letter",
    arguments: [
      "0", "-0", "1", "-1", "10", "1234567890", "0.0", "-0.0", "1.50", "0.1e1", "1e1", "1E1", "1e+1", "1e-1",
      "1E+01", "1e00", "-1.5E-007", "123456789012345678901234567890", "1e400", "-1e-400", "0e0", "9.99e99999",
      "0.000000000000000000000000000000000000000000000001", "9223372036854775808",
    ])
  func numbers(text: String) throws {
    #expect(try JSONReader.read(Array(text.utf8)).text == text)
    #expect(
      try JSONReader.read(Array(" [\(text) ,{\"a\":\(text)}] ".utf8)).text == "[\(text),{\"a\":\(text)}]")
  }

  @Test(
    "what looks like a number and is none is refused",
    arguments: [
      "+1", "01", "-01", "00", "-", "--1", "- 1", ".5", "-.5", "1.", "-1.", "1.e1", "1e", "1E", "1e+", "1e-",
      "1e1.5", "1e+-1", "1.2.3", "0x10", "0b1", "1_000", "1f", "１", "٣", "1e٣", "∞", "1 000", "0e", "2.e3",
    ])
  func malformedNumbers(text: String) {
    for text in [text, "[\(text)]", "{\"a\":\(text)}"] {
      #expect(throws: JSONReader.ReadingError.self, "\(text)") { try JSONReader.read(Array(text.utf8)) }
    }
  }

  @Test("every proper beginning of a text is refused")
  func truncation() throws {
    let text = Array(#"{"a":[true,false,null,-1.5e+3,"\u00e9\ud83d\ude00é"],"b":{}}"#.utf8)
    _ = try JSONReader.read(text)
    for count in 0..<text.count {
      #expect(throws: JSONReader.ReadingError.self) { try JSONReader.read(Array(text[..<count])) }
    }
  }

  @Test("128 levels are read and 129 are refused", arguments: ["arrays", "objects", "mixed"])
  func nesting(kind: String) throws {
    func nested(_ depth: Int, innermost: String = "1") -> [UInt8] {
      var text = innermost
      for level in 0..<depth {
        let isArray = kind == "arrays" || kind == "mixed" && level.isMultiple(of: 2)
        text = isArray ? "[\(text)]" : "{\"a\":\(text)}"
      }
      return Array(text.utf8)
    }
    for innermost in ["1", "[]", "{}"] {
      let own = innermost == "1" ? 0 : 1
      _ = try JSONReader.read(nested(128 - own, innermost: innermost))
      #expect(throws: JSONReader.ReadingError.nestingTooDeep) {
        try JSONReader.read(nested(129 - own, innermost: innermost))
      }
    }
    let open = kind == "objects" ? "{\"a\":" : "["
    let endless = Array(String(repeating: open, count: 1_000_000).utf8)
    #expect(throws: JSONReader.ReadingError.nestingTooDeep) { try JSONReader.read(endless) }
  }

  @Test("depth counts what is open, not what was")
  func siblings() throws {
    let text = "[" + String(repeating: "[[]],", count: 1_000) + "[]]"
    guard case .array(let elements) = try JSONReader.read(Array(text.utf8)) else {
      Issue.record("no array")
      return
    }
    #expect(elements.count == 1_001)
  }
}
