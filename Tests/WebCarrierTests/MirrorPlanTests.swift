import Testing
import WebCarrier

@Suite("What a pass carries") struct MirrorPlanTests {
  private static let vault = "0b6f3a52-0c5e-4c11-9f6e-1f6f4b3a2a10/3b6f3a52-0c5e-4c11-9f6e-1f6f4b3a2a10"
  private static let first = "1b6f3a52-0c5e-4c11-9f6e-1f6f4b3a2a10"
  private static let second = "2b6f3a52-0c5e-4c11-9f6e-1f6f4b3a2a10"

  private func segment(_ number: Int, _ replica: String = first) throws -> MirroredFile {
    let digits = String(number, radix: 16)
    return try #require(
      MirroredFile(
        "\(Self.vault)/changes/\(replica)/\(String(repeating: "0", count: 16 - digits.count))\(digits)"))
  }

  private func listing(_ files: [MirroredFile]) -> Listing {
    var listing = Listing()
    for file in files { listing.add(file, size: 10) }
    return listing
  }

  @Test("Only names of the format are carried")
  func names() {
    let salt = String(repeating: "ab", count: 16)
    for path in [
      "\(Self.vault)/changes/\(Self.first)/0000000000000001", "\(Self.vault)/contents/\(Self.first)/\(salt)",
      "\(Self.vault)/keys/\(Self.first)-7fffffffffffffff", "\(Self.vault)/next/\(Self.first)",
    ] {
      #expect(MirroredFile(path)?.path == path)
    }
    for path in [
      "", "/", "\(Self.vault)", "\(Self.vault)/changes/\(Self.first)/0000000000000000",
      "\(Self.vault)/changes/\(Self.first)/8000000000000000", "\(Self.vault)/changes/\(Self.first)/..",
      "\(Self.vault)/changes/\(Self.first)/000000000000000A", "\(Self.vault)/changes/../0000000000000001",
      "\(Self.vault)/changes/\(Self.first)/0000000000000001/", "../changes/\(Self.first)/0000000000000001",
      "\(Self.vault)/keys/\(Self.first)-1", "\(Self.vault)/next/x",
      "\(Self.vault)/contents/\(Self.first)/0000000000000001",
      "\(Self.vault.uppercased())/changes/\(Self.first)/0000000000000001",
    ] {
      #expect(MirroredFile(path) == nil, "\(path)")
    }
  }

  @Test("Without a state, each side gets what it lacks")
  func union() throws {
    let here = [try segment(5), try segment(6)]
    let there = [try segment(1), try segment(2)]
    let plan = MirrorPlan(here: listing(here), there: listing(there), known: [])
    #expect((plan.send, plan.receive) == (here, there))
    #expect(plan.removeHere.isEmpty && plan.removeThere.isEmpty)
  }

  @Test("Segments that a snapshot stands for are removed on the other side")
  func superseded() throws {
    let old = try (1...3).map { try segment($0) }
    let newer = [try segment(4)]
    var plan = MirrorPlan(here: listing(newer), there: listing(old), known: Set(old))
    #expect((plan.send, plan.removeThere) == (newer, old))
    plan = MirrorPlan(here: listing(old), there: listing(newer), known: Set(old))
    #expect((plan.receive, plan.removeHere) == (newer, old))
  }

  @Test("What is lost, in the middle, at the end or all of it, is carried again")
  func lost() throws {
    let all = try (1...4).map { try segment($0) } + [segment(1, Self.second)]
    for missing in [[2], [4], [1, 2, 3, 4]] {
      let gone = try missing.map { try segment($0) } + (missing.count == 4 ? [segment(1, Self.second)] : [])
      let rest = all.filter { !gone.contains($0) }
      let sending = MirrorPlan(here: listing(all), there: listing(rest), known: Set(all))
      #expect(sending.send == gone && sending.removeHere.isEmpty)
      let receiving = MirrorPlan(here: listing(rest), there: listing(all), known: Set(all))
      #expect(receiving.receive == gone && receiving.removeThere.isEmpty)
    }
  }

  @Test("A replica that has moved to a new epoch is removed from the former one, and the way there stays")
  func newEpoch() throws {
    let next = try #require(MirroredFile("\(Self.vault)/next/\(Self.first)"))
    let moved = try #require(
      MirroredFile(try segment(1).path.replacing("3b6f3a52", with: "4b6f3a52")))
    let old = [try segment(1)]
    let plan = MirrorPlan(here: listing([moved, next]), there: listing(old), known: Set(old))
    #expect((plan.send, plan.removeThere) == ([moved, next], old))
    #expect(
      MirrorPlan(here: listing([moved]), there: listing([moved, next]), known: [moved, next]).receive == [
        next
      ])
  }

  @Test("Files of two lengths are left alone")
  func differing() throws {
    var here = Listing()
    here.add(try segment(1), size: 9)
    let plan = MirrorPlan(here: here, there: listing([try segment(1)]), known: [])
    #expect(plan.differing == [try segment(1)] && plan.send.isEmpty && plan.receive.isEmpty)
  }
}
