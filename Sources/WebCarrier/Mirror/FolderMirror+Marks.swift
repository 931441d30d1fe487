import Glibc
import HelperProtocols

/// Marks on the server: a carrier that has changed files of a vault makes a small file with a new name in its collection, so that
/// one list of that shows the others whether anything was changed.
extension FolderMirror {
  /// How long files are not listed while the marks stay the same, in seconds. Other programs that change the folder leave none.
  private static let quickSeconds = 900

  /// Returns whether neither this folder nor the marks on the server have changed since the last pass.
  mutating func isUnchanged(_ here: Listing) throws(CarrierError) -> Bool {
    guard let settled = state.settled, !settled.signatures.isEmpty, Set(here.sizes.keys) == state.known,
      (0..<Self.quickSeconds).contains(time(nil) - settled.at)
    else { return false }
    for (vault, signature) in settled.signatures {
      guard let members = try web.members(of: vault) else { return false }
      guard ServerListing.signature(of: members) == signature else { return false }
    }
    return true
  }

  /// Stores what is on both sides, and marks what was changed on the server.
  ///
  /// - Parameter signatures: those of the vaults as they were at the beginning of the pass.
  mutating func finish(
    _ plan: MirrorPlan, _ common: Set<MirroredFile>, _ signatures: [String: Set<String>]
  ) throws(CarrierError) {
    var signatures = signatures
    var isUnmarked = false
    if wasUnmarked || outcome.sent + outcome.removedThere > 0 {
      for (vault, files) in Dictionary(grouping: common, by: \.vault) {
        if signatures[vault] == nil { signatures[vault] = Set(files.map { "\($0.epoch)/" }) }
        if try !mark(vault, &signatures) { isUnmarked = true }
      }
    }
    let isDone =
      !isUnmarked && outcome.isComplete && Set(plan.receive + plan.send).isSubset(of: common)
      && common.isDisjoint(with: plan.removeHere + plan.removeThere)
    try state.finish(common, isUnmarked: isUnmarked, isDone ? signatures : nil)
  }

  /// - Returns: whether the server took the mark. Without one, all files are listed in each pass.
  private mutating func mark(_ vault: String, _ signatures: inout [String: Set<String>]) throws(CarrierError)
    -> Bool
  {
    do throws(CarrierError) {
      let name = try uploader.mark(vault, web)
      for old in signatures[vault] ?? [] where old != name && uploader.isMark(old) {
        try web.remove("\(vault)/\(old)")
        signatures[vault]?.remove(old)
      }
      signatures[vault]?.insert(name)
      return true
    } catch {
      guard error.concernsOneFile else { throw error }
      return false
    }
  }
}
