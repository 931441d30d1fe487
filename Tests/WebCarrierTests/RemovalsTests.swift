import Testing
import WebCarrier

@Suite("What shows that files were removed, and were not lost") struct RemovalsTests {
  private static let vault = "0b6f3a52-0c5e-4c11-9f6e-1f6f4b3a2a10/3b6f3a52-0c5e-4c11-9f6e-1f6f4b3a2a10"
  private static let desk = "1b6f3a52-0c5e-4c11-9f6e-1f6f4b3a2a10"
  private static let laptop = "2b6f3a52-0c5e-4c11-9f6e-1f6f4b3a2a10"

  private let deskFiles: [MirroredFile]
  private let laptopFiles: [MirroredFile]
  private let content: MirroredFile

  init() throws {
    content = try Self.file("contents/\(Self.desk)/\(String(repeating: "ab", count: 16))")
    deskFiles = [content] + (try [1, 2].map { try Self.segment($0, Self.desk) } + [Self.key(1, Self.desk)])
    laptopFiles = try [1, 2].map { try Self.segment($0, Self.laptop) } + [Self.key(1, Self.laptop)]
  }

  private static func file(_ path: String, in vault: String = vault) throws -> MirroredFile {
    try #require(MirroredFile("\(vault)/\(path)"))
  }

  private static func segment(_ number: Int, _ replica: String) throws -> MirroredFile {
    try file("changes/\(replica)/000000000000000\(number)")
  }

  private static func key(_ number: Int, _ replica: String) throws -> MirroredFile {
    try file("keys/\(replica)-000000000000000\(number)")
  }

  /// The same file under another vault key, or of another vault.
  private func other(_ file: MirroredFile, _ identifier: String) throws -> MirroredFile {
    let changed = identifier.replacing(identifier.prefix(1), with: "9", maxReplacements: 1)
    return try #require(MirroredFile(file.path.replacing(identifier, with: changed)))
  }

  private func listing(_ files: [MirroredFile]) -> Listing {
    var listing = Listing()
    for file in files { listing.add(file, size: 10) }
    return listing
  }

  /// What is removed on the side that has all of the known files, which is the same on both.
  private func removed(whereOther rest: [MirroredFile], known: [MirroredFile]) -> [MirroredFile] {
    let (all, rest) = (listing(known), listing(rest))
    let there = MirrorPlan(here: rest, there: all, known: Set(known))
    let here = MirrorPlan(here: all, there: rest, known: Set(known))
    #expect(there.removeThere == here.removeHere && there.removeHere + here.removeThere == [])
    #expect(there.receive == here.send)
    #expect(Set(there.removeThere).isDisjoint(with: there.receive))
    return there.removeThere
  }

  @Test("A replica that was forgotten on one side is removed on the other")
  func forgotten() throws {
    #expect(removed(whereOther: laptopFiles, known: deskFiles + laptopFiles) == deskFiles)
  }

  @Test("A replica counts as forgotten if the one that forgets it has made a snapshot")
  func forgottenWithSnapshot() throws {
    let rest = [try Self.segment(3, Self.laptop), try Self.key(1, Self.laptop)]
    #expect(
      removed(whereOther: rest, known: deskFiles + laptopFiles)
        == deskFiles.filter { $0.part != .keys } + laptopFiles.filter { $0.part == .changes }
        + deskFiles.filter { $0.part == .keys })
  }

  @Test("A replica that did not follow to another vault key can be forgotten")
  func forgottenUnderFormerKey() throws {
    let moved = try laptopFiles.map { try other($0, "3b6f3a52") }
    #expect(removed(whereOther: moved, known: deskFiles + moved) == deskFiles)
    let next = try Self.file("next/\(Self.desk)")
    #expect(removed(whereOther: moved + [next], known: deskFiles + moved + [next]) == deskFiles)
  }

  @Test("In an emptied folder, a replica that publishes again has not forgotten the others")
  func emptied() throws {
    let again = [try Self.segment(3, Self.laptop), try Self.key(2, Self.laptop)]
    #expect(removed(whereOther: again, known: deskFiles + laptopFiles) == laptopFiles)
    // So have the contents that it does not write again.
    let own = try Self.file("contents/\(Self.laptop)/\(String(repeating: "cd", count: 16))")
    #expect(removed(whereOther: again, known: deskFiles + laptopFiles + [own]) == laptopFiles)
    // What has the same name whenever it is written shows nothing.
    let next = try Self.file("next/\(Self.laptop)")
    let known = deskFiles + laptopFiles + [own, next]
    #expect(removed(whereOther: again + [own, next], known: known) == laptopFiles)
    let renamed = [try Self.segment(1, Self.vault.suffix(36).description)]
    #expect(removed(whereOther: renamed, known: deskFiles + laptopFiles) == [])
  }

  @Test("A vault that was emptied is not saved by another in the same folder, nor lost with it")
  func severalVaults() throws {
    let others = try (deskFiles + laptopFiles).map { try other($0, "0b6f3a52") }
    let again = [try Self.segment(3, Self.laptop), try Self.key(2, Self.laptop)]
    let known = deskFiles + laptopFiles + others
    #expect(removed(whereOther: again + others, known: known) == laptopFiles)
  }

  @Test("What is left of a replica shows that it was not forgotten", arguments: MirroredFile.Part.allCases)
  func halfEmptied(_ part: MirroredFile.Part) throws {
    let all = deskFiles + laptopFiles
    let again = [try Self.segment(3, Self.laptop)]
    let rest = all.filter { $0.part != part } + (part == .changes ? again : [])
    #expect(
      removed(whereOther: rest, known: all) == laptopFiles.filter { $0.part == .changes && part == .changes })
  }

  @Test("Nobody has forgotten a replica where files of others are lost, such as in an old backup")
  func backup() throws {
    let all = deskFiles + laptopFiles
    #expect(removed(whereOther: laptopFiles.filter { $0 != laptopFiles[1] }, known: all) == [])
  }

  @Test("Contents are removed after a snapshot")
  func contents() throws {
    let all = deskFiles + laptopFiles
    let rest = [try Self.segment(3, Self.desk), try Self.key(1, Self.desk)] + laptopFiles
    #expect(removed(whereOther: rest, known: all) == Array(deskFiles[..<3]))
  }
}
