import Foundation
import TestSupport
import Testing
import VaultInterface
import Wire

@testable import Service

/// `protocol/openrpc.json` is what `protocol/interface.py` makes of the sources; `make interface` writes it.
@Suite("The reference") struct InterfaceTests {
  @Test("R17 the reference is what the sources and the texts say")
  func reference() async throws {
    let path = Repository.protocolDirectory.appending(path: "openrpc.json")
    let made = try await onThread { try Self.run("document", Self.facts().text) }
    if ProcessInfo.processInfo.environment["QUICKVAULT_INTERFACE"] == "write" {
      try Data(made.utf8).write(to: path)
    }
    #expect(try String(contentsOf: path, encoding: .utf8) == made, "run make interface")
  }

  /// What the program knows of methods, errors, settings and messages.
  private static func facts() throws -> JSON {
    let examples = try JSONReader.read(Array(run("examples", "").utf8))
    let methods = try Registry.methods.sorted { $0.key < $1.key }.map { name, method in
      JSON.Member(name, try facts(about: method, examples[name]?.elements ?? []))
    }
    let settings = SettingsGet.Response(settings: Settings()).json["descriptions"]?.elements ?? []
    return [
      "methods": .object(methods), "errors": .array(try errors()),
      "events": .array(ActionEvent.allCases.map { .string($0.rawValue) }),
      "settings": .array(
        settings.map { setting in
          .object(setting.members.map { $0.name == "help" ? .init("help", $0.value["en"] ?? .null) : $0 })
        }),
    ]
  }

  private static func errors() throws -> [JSON] {
    var examples: [String: JSON] = [:]
    for error in try ErrorExamples.all().map(\.descriptor) where examples[error.kind] == nil {
      examples[error.kind] = error.response(in: .english).data
    }
    return ErrorKind.all.compactMap { error in
      // What no request fails with is not in the reference.
      guard let example = examples[error.name], !error.name.hasPrefix("edit."),
        error.name != "carrier.cancelled"
      else { return nil }
      return [
        "kind": .string(error.name), "code": .integer(error.code), "data_example": example,
        "data": .array(
          error.data.map {
            let separator = $0.type.isEmpty || $0.type.hasPrefix(":") ? "" : " "
            return [.string($0.name), .string(separator + $0.type)]
          }),
        "reasons": .array(error.reasons.map(\.name).filter { !$0.isEmpty }.map { .string($0) }),
      ]
    }
  }

  private static func facts(about method: Service.Method, _ examples: [JSON]) throws -> JSON {
    let type = try #require(method.request as? any VaultRequest.Type)
    let parameters: ReadParameters
    do {
      parameters = try ReadParameters(type, examples)
    } catch {
      throw Failure("an example of \(method.name) in protocol/interface: \(error)")
    }
    return [
      "activity": .bool(method.countsAsActivity), "open": .bool(method.name == Initialize.method),
      "settings": .bool(method.name == SettingsUpdate.method),
      "prompts": .array(method.prompts.map { .string($0.parameter) }),
      "parameters": .array(parameters.described(prompts: method.prompts)),
    ]
  }

  private static func run(_ what: String, _ input: String) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/python3")
    process.arguments = [Repository.protocolDirectory.appending(path: "interface.py").path, what]
    let (given, told) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput) = (given, told)
    try process.run()
    let writer = Thread {
      try? given.fileHandleForWriting.write(contentsOf: Data(input.utf8))
      try? given.fileHandleForWriting.close()
    }
    writer.start()
    let output = try told.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "interface.py \(what)")
    return String(decoding: output, as: UTF8.self)
  }
}
