import Glibc
package import HelperProtocols

/// What a pass does so that the folder is the same here and on the server.
package struct MirrorPlan {
  /// In the order in which they are copied.
  package private(set) var receive: [MirroredFile] = []
  package private(set) var send: [MirroredFile] = []
  package private(set) var removeHere: [MirroredFile] = []
  package private(set) var removeThere: [MirroredFile] = []
  /// The files with two lengths. They are left as they are: files never change, so one side is damaged.
  package private(set) var differing: [MirroredFile] = []
  /// The files that are the same on both sides.
  package private(set) var common: Set<MirroredFile> = []

  /// - Parameter known: the files that were on both sides at the end of the last pass.
  package init(here: Listing, there: Listing, known: Set<MirroredFile>) {
    let former = Listing(known)
    let (removedHere, removedThere) = (Removals(on: here, since: former), Removals(on: there, since: former))
    for (file, size) in here.sizes {
      if let other = there.sizes[file] {
        if let size, let other, size != other { differing.append(file) }
        common.insert(file)
      } else if removedThere.contains(file) {
        removeHere.append(file)
      } else {
        send.append(file)
      }
    }
    for (file, _) in there.sizes where !here.contains(file) {
      if removedHere.contains(file) {
        removeThere.append(file)
      } else {
        receive.append(file)
      }
    }
    receive.sort()
    send.sort()
    removeHere.sort()
    removeThere.sort()
    differing.sort()
  }
}

/// What a pass did: of files that were not carried, the first 1,000 of each kind.
extension CarrierMirror.Response {
  private static var limit: Int { 1_000 }

  mutating func note(damaged file: MirroredFile, isThere: Bool = false) {
    guard damaged.count < Self.limit else { return }
    damaged.append(file.path)
    if isThere { damagedThere.append(file.path) }
  }

  mutating func note(_ error: CarrierError, of path: String) {
    guard failed.count < Self.limit else { return }
    failed.append(CarrierMirror.Failure(file: path, error: error))
  }

  /// Whether everything was carried.
  package var isComplete: Bool { damaged.isEmpty && failed.isEmpty }
}

/// The files that were on both sides after the last pass. Without this state, no file counts as removed.
package struct MirrorState {
  private let file: String
  private let pair: String
  /// Marks this machine's temporary files on the server.
  private(set) var tag = ""
  /// The tag that was on the disk; nil if there was none.
  package private(set) var storedTag: String?
  private(set) var known: Set<MirroredFile> = []
  /// Files that are being written under their names on the server.
  private(set) var unfinished: Set<MirroredFile> = []
  /// Whether files on the server may have been changed since this machine made its last mark there.
  private(set) var isUnmarked = true
  /// When the last pass ended after which nothing was left to do, in seconds since 1970, and the signatures of the vaults then;
  /// nil if something was left.
  private(set) var settled: (at: Int, signatures: [String: Set<String>])?

  /// Reads the state of a folder and an address in a directory. A file that is missing, damaged or of another pair counts as
  /// none.
  package init(in directory: String, folder: String, address: String) {
    // It is one line of the file.
    pair = "\(folder) \(address)".replacing("\n", with: "\\n")
    // FNV-1a, which only has to tell a few names apart.
    let hash = pair.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    file = "\(directory)/\(String(hash, radix: 16))"
    if let lines = Self.read(file)?.split(separator: "\n", omittingEmptySubsequences: false),
      lines.count >= 4, lines[0] == "quickvault-carrier 1", lines[1] == pair, lines.last == "end"
    {
      (tag, storedTag) = (String(lines[2]), String(lines[2]))
      known = Set(lines[3...].compactMap { MirroredFile(String($0)) })
      for line in lines[3...] { read(line.split(separator: " ", maxSplits: 2).map(String.init)) }
    }
    if tag.utf8.count != 16 || !tag.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) }) {
      var generator = SystemRandomNumberGenerator()
      let digits = String(generator.next() as UInt64, radix: 16)
      tag = String(repeating: "0", count: 16 - digits.count) + digits
    }
  }

  /// Forgets the pair, so that a pass that waits does not begin.
  package func remove() throws(CarrierError) {
    guard unsafe unlink(file) == 0 || errno == ENOENT else { throw .folder(errno) }
  }

  /// Reads a line with another value than a file that is known.
  private mutating func read(_ words: [String]) {
    switch (words.first, words.count) {
    case ("unfinished", 2): if let file = MirroredFile(words[1]) { unfinished.insert(file) }
    case ("marked", 1): isUnmarked = false
    case ("settled", 2): settled = Int(words[1]).map { ($0, [:]) }
    case ("signature", 3): settled?.signatures[words[1], default: []].insert(words[2])
    default: break
    }
  }

  /// Replaces what is known at the beginning of a pass.
  ///
  /// - Parameter willChange: whether files on the server are to be changed.
  mutating func begin(_ known: Set<MirroredFile>, _ willChange: Bool) throws(CarrierError) {
    (self.known, unfinished, settled) = (known, [], nil)
    isUnmarked = isUnmarked || willChange
    try save()
  }

  /// Notes a file that is written under its name on the server from now on.
  mutating func note(unfinished file: MirroredFile) throws(CarrierError) {
    unfinished.insert(file)
    try save()
  }

  /// Replaces what is known at the end of a pass.
  ///
  /// - Parameters:
  ///   - isUnmarked: whether files on the server may have been changed without a mark.
  ///   - signatures: nil if something is left to do.
  mutating func finish(
    _ known: Set<MirroredFile>, isUnmarked: Bool, _ signatures: [String: Set<String>]?
  ) throws(CarrierError) {
    (self.known, self.isUnmarked) = (known, isUnmarked)
    unfinished.subtract(known)
    settled = signatures.map { (time(nil), $0) }
    try save()
  }

  private func save() throws(CarrierError) {
    var lines = ["quickvault-carrier 1", pair, tag] + known.sorted().map(\.path)
    lines += unfinished.map { "unfinished \($0.path)" }
    if !isUnmarked { lines.append("marked") }
    if let settled {
      lines.append("settled \(settled.at)")
      for (vault, names) in settled.signatures { lines += names.map { "signature \(vault) \($0)" } }
    }
    lines.append("end")
    let temporary = "\(file).new"
    guard let stream = unsafe fopen(temporary, "we") else { throw .folder(errno) }
    let text = Array(lines.joined(separator: "\n").utf8)
    let written = unsafe text.withUnsafeBytes { unsafe fwrite($0.baseAddress, 1, $0.count, stream) }
    let isSafe = unsafe written == text.count && fflush(stream) == 0 && fsync(fileno(stream)) == 0
    guard unsafe fclose(stream) == 0, isSafe, unsafe rename(temporary, file) == 0 else {
      throw .folder(errno)
    }
  }

  private static func read(_ file: String) -> String? {
    guard let stream = unsafe fopen(file, "re") else { return nil }
    defer { unsafe fclose(stream) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes { unsafe fread($0.baseAddress, 1, $0.count, stream) }
      if count == 0 { return unsafe ferror(stream) == 0 ? String(validating: bytes, as: UTF8.self) : nil }
      bytes += buffer[..<count]
    }
  }
}
