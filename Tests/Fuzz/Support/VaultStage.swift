import CFuzz
package import Foundation
import Glibc
package import Wire

/// A directory of the fuzz target's own, in memory where the system has such a place, and a vault to begin each run with.
package struct VaultStage {
  /// The password of the vaults that runs begin with, the golden ones' too.
  package static let password = "三月的雨 and 42 umbrellas"

  /// One vault to begin with.
  package struct Beginning {
    /// The file.
    package let bytes: [UInt8]
    /// Its cards as they are answered, by id, in the order of the list.
    package let cards: [(id: String, card: JSON)]
    /// The contents of its attachments as they were added, in Base64, by id.
    package let attachments: [(id: String, data: JSON)]
  }

  /// The path of a run's vault.
  package let vault: String
  /// The vaults to begin with: one made now, the golden ones, and the one that ``richest`` is.
  package let beginnings: [Beginning]
  /// A golden vault with attachments, brought up to date, that has the cards of the one made now as well.
  package var richest: Beginning { beginnings[beginnings.count - 1] }

  /// Makes the directory and the vaults.
  package init() {
    signal(SIGPIPE, SIG_IGN)
    let parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : NSTemporaryDirectory()
    let directory = "\(parent)/quickvault-fuzz-\(getpid())"
    guard mkdir(directory, 0o700) == 0 || errno == EEXIST else { fatalError("mkdir: \(errno)") }
    vault = directory + "/vault.quickvault"
    Self.removeAtExit(directory)
    var files = [Self.make(at: vault)]
    var richest: [UInt8] = []
    let golden = Self.project.appending(path: "protocol/golden")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: golden.path)) ?? []
    for name in names.sorted() where name.hasSuffix(".quickvault") {
      guard let data = try? Data(contentsOf: golden.appending(path: name)) else { fatalError("\(name)") }
      files.append(Array(data))
      if name.hasSuffix("-attachments.quickvault") { richest = Self.make(at: vault, from: Array(data)) }
    }
    let path = vault
    beginnings = (files + [richest]).map { Self.beginning($0, at: path) }
    cfuzz_hurry()
  }

  /// The top of the project's tree.
  package static var project: URL {
    (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
  }

  /// Puts a file in the vault's place, with others whose paths begin with its path; what an earlier run left goes.
  package func begin(with bytes: [UInt8], beside others: [(ending: String, bytes: [UInt8])] = []) {
    let directory = NSString(string: vault).deletingLastPathComponent
    for name in (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [] {
      try? FileManager.default.removeItem(atPath: directory + "/" + name)
    }
    for (ending, bytes) in [("", bytes)] + others { Self.write(bytes, to: vault + ending) }
  }

  private static func write(_ bytes: [UInt8], to path: String) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0, Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
      fatalError("write: \(errno)")
    }
    close(descriptor)
  }

  /// A run that ends by itself leaves nothing in memory.
  private static func removeAtExit(_ directory: String) {
    let path = strdup(directory)
    on_exit(
      { _, path in
        if let path {
          try? FileManager.default.removeItem(
            atPath: String(cString: path.assumingMemoryBound(to: CChar.self)))
        }
      }, path)
  }

  /// A vault with three cards, in one that is there already where its file is given.
  private static func make(at vault: String, from file: [UInt8]? = nil) -> [UInt8] {
    let kdf: JSON = ["algorithm": "pbkdf2-hmac-sha256", "iterations": 100_000]
    var lines = [Exchange.request(0, "vault/create", ["password": .string(password), "kdf": kdf])]
    for ending in ["-wal", "-shm", ""] { unlink(vault + ending) }
    if let file {
      write(file, to: vault)
      lines = [Exchange.request(0, "session/unlock", ["password": .string(password)])]
    }
    for number in 1...3 {
      lines.append(
        Exchange.request(
          number, "card/create",
          [
            "title": .string("card \(number) 卡"), "group": "personal", "type": "text",
            "fields": ["text": .string("value \(number) 值")], "tags": ["税务"], "pinned": .bool(number == 2),
            "extraFields": [["label": "PIN", "value": "4711", "concealed": true]],
          ]))
    }
    let answers = Exchange.hold(lines.map(\.utf8), vault: vault)
    guard answers.count == 4, answers.allSatisfy({ $0["result"] != nil }),
      let data = FileManager.default.contents(atPath: vault)
    else { fatalError("no vault: \(answers)") }
    return Array(data)
  }

  private static func beginning(_ file: [UInt8], at vault: String) -> Beginning {
    for ending in ["-wal", "-shm"] { unlink(vault + ending) }
    write(file, to: vault)
    let unlock = Exchange.request(0, "session/unlock", ["password": .string(password)])
    let list = Exchange.request(1, "card/list", ["limit": 1000])
    let answers = Exchange.hold([unlock.utf8, list.utf8], vault: vault)
    guard answers.count == 2, case .array(let items) = answers[1]["result"]?["items"] else {
      fatalError("no list: \(answers)")
    }
    let ids = items.compactMap { $0["id"]?.string }
    let cards = results(ids.map { ("card/get", ["id": .string($0)]) }, "card", vault)
    let attachments = cards.flatMap { card -> [String] in
      guard case .array(let items) = card["attachments"] else { return [] }
      return items.compactMap { $0["id"]?.string }
    }
    let contents = results(attachments.map { ("attachment/get", original($0)) }, "data", vault)
    return Beginning(
      bytes: file, cards: Array(zip(ids, cards)).map { (id: $0, card: $1) },
      attachments: Array(zip(attachments, contents)).map { (id: $0, data: $1) })
  }

  /// What asks for an attachment as it was added.
  package static func original(_ attachment: String) -> JSON {
    ["id": .string(attachment), "original": true, "password": .string(password)]
  }

  /// One part of the result of each of some requests, which must have results.
  private static func results(
    _ requests: [(method: String, parameters: JSON)], _ part: String, _ vault: String
  ) -> [JSON] {
    let unlock = Exchange.request(0, "session/unlock", ["password": .string(password)])
    let lines = requests.enumerated().map { Exchange.request($0 + 1, $1.method, $1.parameters).utf8 }
    return Exchange.hold([unlock.utf8] + lines, vault: vault).dropFirst().map { answer in
      guard let result = answer["result"]?[part] else { fatalError("no \(part): \(answer)") }
      return result
    }
  }
}
