package import Wire

/// The errors that protocol/openrpc.json knows.
package struct KnownErrors {
  private var codes: [String: Int] = [:]

  /// Reads them out of the document.
  package init() {
    guard case .object(let errors) = Document.whole["components"]?["errors"] else {
      fatalError("no errors in openrpc.json")
    }
    for error in errors {
      guard let kind = error.value["data"]?["kind"]?.string else { continue }
      codes[kind] = error.value["code"]?.integer
    }
  }

  /// Stops the run unless the answer is a result, or an error of a kind that is known in the form that is promised.
  package func check(_ answer: JSON) {
    guard case .object = answer, answer["jsonrpc"]?.string == "2.0", let id = answer["id"] else {
      fatalError("not an answer: \(answer)")
    }
    switch id {
    case .null, .number, .string: break
    default: fatalError("not an id: \(answer)")
    }
    guard let error = answer["error"] else {
      guard answer["result"] != nil else { fatalError("neither result nor error: \(answer)") }
      return
    }
    guard answer["result"] == nil, let kind = error["data"]?["kind"]?.string, let code = codes[kind],
      error["code"]?.integer == code, error["message"]?.string?.isEmpty == false,
      ["en", "zh-Hans"].allSatisfy({ error["data"]?["messages"]?[$0]?.string?.isEmpty == false })
    else { fatalError("not an error as described: \(answer)") }
    guard kind != "rpc.internalError" else { fatalError("something went wrong inside: \(answer)") }
  }
}
