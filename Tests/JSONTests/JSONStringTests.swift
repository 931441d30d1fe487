import Testing
import Wire

/// Strings: escapes, surrogates and UTF-8 in both directions.
@Suite struct JSONStringTests {
  @Test(
    "escapes are read",
    arguments: [
      (#""\"""#, "\""), (#""\\""#, "\\"), (#""\/""#, "/"), (#""\b\f\n\r\t""#, "\u{08}\u{0C}\n\r\t"),
      (#""\u0041""#, "A"), (#""\u00e9\u00E9""#, "éé"), (#""\u0000""#, "\u{0}"), (#""a\u0000b""#, "a\u{0}b"),
      (#""\ud83d\ude00""#, "😀"), (#""\uD83D\uDE00""#, "😀"), (#""\udbff\udfff""#, "\u{10FFFF}"),
      (#""\ud800\udc00""#, "\u{10000}"), (#""\ufffd""#, "\u{FFFD}"),
      (#""\ud7ff\ue000""#, "\u{D7FF}\u{E000}"), (#""x\u007fy""#, "x\u{7F}y"), (#""\\u0041""#, "\\u0041"),
      (#""\u005c""#, "\\"), (#""\u0022""#, "\""), (#""e\u0301""#, "e\u{301}"), (#""\ufeff""#, "\u{FEFF}"),
    ])
  func escapes(text: String, expected: String) throws {
    let value = try JSONReader.read(Array(text.utf8))
    #expect(value.string.map { Array($0.unicodeScalars) } == Array(expected.unicodeScalars))
  }

  @Test("every scalar of the first plane is read from its escape, non-characters included")
  func firstPlane() throws {
    let digits = Array("0123456789abcdef")
    for code in UInt32(0)...0xFFFF {
      guard let scalar = Unicode.Scalar(code) else { continue }
      let escape = [12, 8, 4, 0].map { String(digits[Int(code >> $0) & 15]) }.joined()
      #expect(try JSONReader.read(Array("\"\\u\(escape)\"".utf8)) == .string(String(scalar)))
    }
  }

  @Test(
    "wrong escapes and halves of surrogate pairs are refused",
    arguments: [
      #""\a""#, #""\x41""#, #""\'""#, #""\0""#, #""\U0041""#, #""\ ""#, #""\"#, #""\u""#, #""\u0""#,
      #""\u00""#,
      #""\u004""#, #""\u004g""#, #""\u+041""#, #""\u 041""#, #""\u００４１""#, #""\ud800""#, #""\udc00""#,
      #""\udbff""#, #""\udfff""#, #""\ud800\n""#, #""\ud800\\""#, #""\ud800\u0041""#, #""\ud800\ud800""#,
      #""\udc00\ud800""#, #""\ud800x""#, #""\ud83d\ude0""#, #""\ud83d\"#, #""\ud83d\u"#, "\"\\\n\"",
      "\"\\é\"",
    ])
  func wrongEscapes(text: String) {
    #expect(throws: JSONReader.ReadingError.self) { try JSONReader.read(Array(text.utf8)) }
  }

  @Test("a control character inside a string is refused, and its escape is read", arguments: 0..<0x20)
  func controlCharacters(code: UInt8) throws {
    let quote = UInt8(ascii: "\"")
    #expect(throws: JSONReader.ReadingError.malformed(offset: 2)) {
      try JSONReader.read([quote, 0x61, code, 0x62, quote])
    }
    let value = JSON.string("a" + String(Unicode.Scalar(code)) + "b")
    #expect(value.utf8.allSatisfy { $0 >= 0x20 })
    #expect(try JSONReader.read(value.utf8) == value)
  }

  @Test(
    "bytes that are not UTF-8 are refused",
    arguments: [
      [0x80], [0xBF], [0xC0, 0xAF], [0xC1, 0xBF], [0xC3], [0xC3, 0x28], [0xE0, 0x80, 0xAF],
      [0xE0, 0x9F, 0xBF],
      [0xE4, 0xB8], [0xE4], [0xE4, 0x28, 0xA1], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
      [0xF0, 0x80, 0x80, 0x80],
      [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x9F, 0x98], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80],
      [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFC, 0x84, 0x80, 0x80, 0x80, 0x80], [0xFE], [0xFF],
    ] as [[UInt8]])
  func invalidUTF8(bytes: [UInt8]) {
    for (before, after) in [("\"", "\""), ("\"a", "b\""), ("{\"", "\":1}"), ("[\"\\n", "\"]"), ("", "")] {
      #expect(throws: JSONReader.ReadingError.self) {
        try JSONReader.read(Array(before.utf8) + bytes + Array(after.utf8))
      }
    }
  }

  @Test("UTF-16 and UTF-32 are refused, with and without a mark")
  func otherEncodings() {
    let texts: [[UInt8]] = [
      [0xFF, 0xFE, 0x31, 0x00], [0x31, 0x00], [0xFE, 0xFF, 0x00, 0x31], [0x00, 0x31], [0x31, 0, 0, 0],
      [0xEF, 0xBB, 0xBF, 0x31],
    ]
    for text in texts {
      #expect(throws: JSONReader.ReadingError.self) { try JSONReader.read(text) }
    }
  }

  @Test(
    "what goes out is one line, escaped where it must be and nowhere else",
    arguments: [
      ("", #""""#), ("a/b", #""a/b""#), ("\"\\", #""\"\\""#), ("\n\r\t", #""\n\r\t""#),
      ("\u{0}\u{08}\u{0C}\u{1F}", #""\u0000\b\f\u001f""#), ("\u{7F}", "\"\u{7F}\""),
      ("税务😀", "\"税务😀\""),
      ("\u{2028}", "\"\u{2028}\""), ("a\nb\"", #""a\nb\"""#),
    ])
  func writing(text: String, expected: String) {
    #expect(JSON.string(text).text == expected)
    #expect(JSON.object([.init(text, 1)]).text == "{\(expected):1}")
  }

  @Test("written JSON has no white space and keeps the order of members")
  func order() {
    let value: JSON = ["b": [1, nil, true], "a": ["x": false], "b": "twice"]
    #expect(value.text == #"{"b":[1,null,true],"a":{"x":false},"b":"twice"}"#)
  }
}
