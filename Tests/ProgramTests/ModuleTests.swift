import Foundation
import TestSupport
import Testing

/// Imports between modules, linked libraries, and the length of files.
@Suite("Modules") struct ModuleTests {
  /// The modules that each target may import, besides those of Swift and the system: the table in CONTRIBUTING.md.
  private static func plan() throws -> [String: Set<String>] {
    let text = try String(contentsOf: Repository.top.appending(path: "CONTRIBUTING.md"), encoding: .utf8)
    var modules: [String: Set<String>] = [:]
    for line in text.split(separator: "\n") {
      let cells = line.split(separator: "|").map { $0.matches(of: /`([-A-Za-z]+)`/).map { String($0.1) } }
      if cells.count == 3, let module = cells[0].first { modules[module] = Set(cells[2]) }
    }
    return modules
  }
  private static let anybody: Set<String> = ["Swift", "Glibc", "Synchronization"]

  /// The Swift files under Sources with the targets that they belong to.
  private static func sources() throws -> [(target: String, path: String, text: String)] {
    let sources = Repository.top.appending(path: "Sources")
    let names = try #require(FileManager.default.enumerator(atPath: sources.path)).compactMap {
      $0 as? String
    }
    return try names.filter { $0.hasSuffix(".swift") }.map { name in
      let target = try #require(name.split(separator: "/").first.map(String.init))
      return (target, name, try String(contentsOf: sources.appending(path: name), encoding: .utf8))
    }
  }

  @Test("Modules import only what the plan allows")
  func imports() throws {
    let declaration =
      /^\s*(?:@[A-Za-z_]+\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?([A-Za-z_]+)/
    let (plan, sources) = (try Self.plan(), try Self.sources())
    #expect(Set(sources.map(\.target)) == Set(plan.keys))
    for (target, path, text) in sources {
      let allowed = try #require(plan[target]).union(Self.anybody)
      for line in text.split(separator: "\n") {
        guard let match = line.prefixMatch(of: declaration) else { continue }
        #expect(allowed.contains(String(match.1)), "\(path): \(line)")
      }
    }
  }

  @Test("No two modules import each other, however indirectly")
  func moduleCircles() throws {
    #expect(try Self.circle(in: Self.plan()) == nil)
  }

  @Test(
    "No two folders of a module refer to each other's types, however indirectly",
    arguments: ["Wire", "VaultInterface", "Vault"])
  func folderCircles(module: String) throws {
    let declaration = /\b(?:struct|class|enum|actor|protocol|typealias) ([A-Z]\w*)/
    var files: [(folder: String, code: String)] = []
    var folders: [Substring: String] = [:]
    for (_, path, text) in try Self.sources() where path.hasPrefix(module + "/") {
      let parts = path.split(separator: "/")
      try #require(parts.count > 2, "\(path) lies in a folder of \(module)")
      let folder = String(parts[1])
      let code = text.split(separator: "\n").filter {
        !$0.drop(while: { $0 == " " }).hasPrefix("//") && !$0.contains("import ")
      }
      files.append((folder, code.joined(separator: "\n")))
      // A type that begins its line is declared at the top of its file.
      for line in code where !line.hasPrefix(" ") {
        guard let name = line.firstMatch(of: declaration)?.1 else { continue }
        #expect(folders.updateValue(folder, forKey: name) == nil, "\(name) is declared once")
      }
    }
    var references: [String: Set<String>] = [:]
    for (folder, code) in files {
      let names = Set(code.matches(of: /\b[A-Z]\w*/).map(\.output))
      references[folder, default: []].formUnion(
        folders.filter { names.contains($0.key) && $0.value != folder }.values)
    }
    #expect(folders.count > 20 && references.count > 1)
    #expect(Self.circle(in: references) == nil, "\(references)")
  }

  /// Finds nodes of a graph that lead back to themselves; nil if there are none.
  private static func circle(in graph: [String: Set<String>]) -> Set<String>? {
    var rest = graph
    while let leaf = rest.first(where: { $0.value.isDisjoint(with: rest.keys) }) { rest[leaf.key] = nil }
    return rest.isEmpty ? nil : Set(rest.keys)
  }

  @Test("Only tests use @testable, so every program can be built as a release")
  func testable() throws {
    let tests = Repository.top.appending(path: "Tests")
    var looked = 0
    for directory in ["Fuzz", "Benchmarks", "Samples", "Support"] {
      let names = try #require(FileManager.default.enumerator(atPath: tests.appending(path: directory).path))
      for case let name as String in names where name.hasSuffix(".swift") {
        let text = try String(contentsOf: tests.appending(path: "\(directory)/\(name)"), encoding: .utf8)
        #expect(!text.contains("@testable"), "\(directory)/\(name)")
        looked += 1
      }
    }
    #expect(looked > 40)
  }

  @Test("No file is longer than 300 lines")
  func lengths() throws {
    // Lists that a script makes are read by nobody.
    for (_, path, text) in try Self.sources() where !path.hasSuffix("Data.swift") {
      #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 301, "\(path)")
    }
  }

  @Test("The program links only SQLite, libgcrypt and the system's libraries")
  func libraries() async throws {
    let result = try await onThread {
      try run("/usr/bin/ldd", [Repository.program()], environment: ["PATH": "/usr/bin:/bin"])
    }
    try #require(result.status == 0)
    let names = result.output.split(separator: "\n").compactMap { line in
      line.split(separator: " ").first?.split(separator: "/").last.map {
        $0.trimmingCharacters(in: .whitespaces)
      }
    }
    let system =
      /(linux-vdso|ld-linux-[-a-z0-9]+|libc|libm|libdl|libpthread|librt|libgcc_s|libstdc\+\+)\.so.*/
    // The Swift runtime is linked statically into a release and lies beside the toolchain for a debug build.
    let runtime =
      /libswift(Core|Glibc|SwiftOnoneSupport|Synchronization|_Concurrency|_StringProcessing|_RegexParser|_Builtin_float)\.so|libdispatch\.so|libBlocksRuntime\.so/
    let own = /lib(sqlite3|gcrypt|gpg-error)\.so.*/
    #expect(names.contains { $0.wholeMatch(of: own) != nil })
    for name in names {
      #expect(
        name.wholeMatch(of: system) != nil || name.wholeMatch(of: runtime) != nil
          || name.wholeMatch(of: own) != nil,
        "\(name)")
    }
  }
}
