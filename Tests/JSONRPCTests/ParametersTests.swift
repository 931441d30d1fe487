import Testing
import Wire

/// Parameters by name: accepted values, and the errors for others.
@Suite struct ParametersTests {
  private enum Style: String, CaseIterable, ParameterValue {
    case plain, full
  }

  private struct Extra: ParameterValue, Equatable {
    var label: String
    var concealed: Bool

    static func read(_ value: JSON, at path: String) throws(ParameterError) -> Extra {
      var members = try Parameters(value, at: path)
      let extra = Extra(
        label: try members.required("label"), concealed: try members.optional("concealed") ?? false)
      try members.finish()
      return extra
    }
  }

  private struct Example: RequestType, Equatable {
    typealias Response = NullResult
    static let method = "example"

    var id: String
    var limit: Int?
    var pinned: Bool?
    var style: Style?
    var tags: [String]?
    var extraFields: [Extra]?
    var anything: JSON?
    var wait: Int??

    init(_ parameters: inout Parameters) throws(ParameterError) {
      id = try parameters.required("id")
      limit = try parameters.optional("limit")
      pinned = try parameters.optional("pinned")
      style = try parameters.optional("style")
      tags = try parameters.optional("tags")
      extraFields = try parameters.optional("extraFields")
      anything = try parameters.optional("anything")
      wait = try parameters.present("wait")
    }
  }

  @Test("R17 Parameters: values of every type are read")
  func reads() throws {
    let example = try Example.read([
      "wait": 3, "id": "a", "limit": 50, "pinned": true, "style": "full", "tags": ["x", "y"],
      "extraFields": [["label": "l"], ["concealed": true, "label": "m"]], "anything": [nil],
    ])
    #expect(example.id == "a")
    #expect(example.limit == 50)
    #expect(example.pinned == true)
    #expect(example.style == .full)
    #expect(example.tags == ["x", "y"])
    #expect(example.extraFields == [Extra(label: "l", concealed: false), Extra(label: "m", concealed: true)])
    #expect(example.anything == [nil])
    #expect(example.wait == .some(3))
  }

  @Test("R17 Parameters: null counts as missing, unless it has a meaning")
  func nulls() throws {
    let missing = try Example.read(["id": "a"])
    #expect(missing.limit == nil)
    #expect(missing.wait == nil)
    let null = try Example.read(["id": "a", "limit": nil, "tags": nil, "anything": nil, "wait": nil])
    #expect(null.limit == nil)
    #expect(null.tags == nil)
    #expect(null.anything == nil)
    #expect(null.wait == .some(nil))
  }

  @Test("R17 Parameters: an integer may be written with a fraction of zero")
  func integers() throws {
    let value = try JSONReader.read(Array(#"{"id":"a","limit":5.0e1}"#.utf8))
    #expect(try Example.read(value).limit == 50)
  }

  @Test(
    "R17 Parameters: an error names the parameter and what was expected",
    arguments: [
      (nil, "id", .presence), ([:], "id", .presence), (["id": nil], "id", .string),
      (["id": 1], "id", .string),
      ([], "params", .object), (["a"], "params", .object), (["id": "a", "limit": "5"], "limit", .integer),
      (["id": "a", "limit": true], "limit", .integer), (["id": "a", "pinned": 1], "pinned", .boolean),
      (["id": "a", "pinned": "true"], "pinned", .boolean), (["id": "a", "tags": "x"], "tags", .array),
      (["id": "a", "tags": [:]], "tags", .array), (["id": "a", "tags": ["x", nil]], "tags[1]", .string),
      (["id": "a", "style": "none"], "style", .oneOf(["plain", "full"])),
      (["id": "a", "style": 1], "style", .oneOf(["plain", "full"])),
      (["id": "a", "wait": "x"], "wait", .integer),
      (["id": "a", "extraFields": ["x"]], "extraFields[0]", .object),
      (["id": "a", "extraFields": [[]]], "extraFields[0]", .object),
      (["id": "a", "extraFields": [[:]]], "extraFields[0].label", .presence),
      (["id": "a", "extraFields": [["label": "l"], ["label": 1]]], "extraFields[1].label", .string),
      (["id": "a", "extraFields": [["label": "l", "x": 1]]], "extraFields[0].x", .absence),
      (["id": "a", "extraFields": [["label": "l", "label": "l"]]], "extraFields[0].label", .once),
      (["id": "a", "id": "a"], "id", .once), (["id": "a", "x": nil, "x": nil], "x", .once),
      (["id": "a", "unknown": 1], "unknown", .absence), (["id": "a", "unknown": nil], "unknown", .absence),
      (["ID": "a", "id": "a"], "ID", .absence),
    ] as [(JSON?, String, ParameterError.Expectation)])
  func faults(value: JSON?, parameter: String, expectation: ParameterError.Expectation) {
    #expect(throws: ParameterError(parameter, expectation)) { try Example.read(value) }
  }

  @Test(
    "R17 Parameters: a number that is not a 64-bit integer is rejected", arguments: ["1.5", "1e19", "1e-1"])
  func noIntegers(text: String) throws {
    let value = try JSONReader.read(Array(#"{"id":"a","limit":\#(text)}"#.utf8))
    #expect(throws: ParameterError("limit", .integer)) { try Example.read(value) }
  }

  @Test("R17 Parameters: a duplicate is found among few and among many", arguments: [2, 8, 9, 100])
  func twice(count: Int) {
    let members = (1..<count).map { JSON.Member("p\($0)", 1) } + [JSON.Member("p1", 2)]
    #expect(throws: ParameterError("p1", .once)) { try Parameters(.object(members)) }
    #expect(throws: Never.self) { try Parameters(.object(members.dropLast())) }
  }

  @Test("R17 Parameters: unknown parameters may be ignored")
  func ignoring() throws {
    var parameters = try Parameters(["id": "a", "capabilities": ["x": 1]])
    let id: String = try parameters.required("id")
    #expect(id == "a")
    #expect(throws: ParameterError("capabilities", .absence)) { try parameters.finish() }
    parameters.ignoreRest()
    try parameters.finish()
  }
}
