package import Foundation
import Glibc
package import JSONRPC

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
  }

  /// Where the vault of a run lies.
  package let vault: String
  /// The vaults to begin with: one made now, and the golden ones.
  package let beginnings: [Beginning]

  /// Makes the directory and the vaults.
  package init() {
    signal(SIGPIPE, SIG_IGN)
    let parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : NSTemporaryDirectory()
    let directory = "\(parent)/quickvault-fuzz-\(getpid())"
    guard mkdir(directory, 0o700) == 0 || errno == EEXIST else { fatalError("mkdir: \(errno)") }
    vault = directory + "/vault.quickvault"
    var files = [Self.make(at: vault)]
    let golden = Self.project.appending(path: "protocol/golden")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: golden.path)) ?? []
    for name in names.sorted() where name.hasSuffix(".quickvault") {
      guard let data = try? Data(contentsOf: golden.appending(path: name)) else { fatalError("\(name)") }
      files.append(Array(data))
    }
    let path = vault
    beginnings = files.map { Beginning(bytes: $0, cards: Self.cards(in: $0, at: path)) }
  }

  /// The top of the project's tree.
  package static var project: URL {
    (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
  }

  /// Puts a file in the vault's place, alone or with a log beside it; what an earlier run left goes.
  package func begin(with bytes: [UInt8], log: [UInt8]? = nil) {
    let directory = NSString(string: vault).deletingLastPathComponent
    for name in (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [] {
      try? FileManager.default.removeItem(atPath: directory + "/" + name)
    }
    Self.write(bytes, log: log, to: vault)
  }

  private static func write(_ bytes: [UInt8], log: [UInt8]?, to vault: String) {
    for ending in ["-wal", "-shm", "-journal", ""] { unlink(vault + ending) }
    for (path, bytes) in [(vault, bytes), (vault + "-wal", log)] {
      guard let bytes else { continue }
      let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
      guard descriptor >= 0, Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
        fatalError("write: \(errno)")
      }
      close(descriptor)
    }
  }

  private static func make(at vault: String) -> [UInt8] {
    let kdf: JSON = ["algorithm": "pbkdf2-hmac-sha256", "iterations": 100_000]
    var lines = [Exchange.request(0, "vault/create", ["password": .string(password), "kdf": kdf])]
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

  private static func cards(in file: [UInt8], at vault: String) -> [(id: String, card: JSON)] {
    write(file, log: nil, to: vault)
    let unlock = Exchange.request(0, "session/unlock", ["password": .string(password)])
    let list = Exchange.request(1, "card/list", ["limit": 1000])
    let answers = Exchange.hold([unlock.utf8, list.utf8], vault: vault)
    guard answers.count == 2, case .array(let items) = answers[1]["result"]?["items"] else {
      fatalError("no list: \(answers)")
    }
    let ids = items.compactMap { $0["id"]?.string }
    let requests = ids.enumerated().map { Exchange.request($0 + 1, "card/get", ["id": .string($1)]).utf8 }
    let cards = Exchange.hold([unlock.utf8] + requests, vault: vault).dropFirst()
    return zip(ids, cards).map { id, answer in
      guard let card = answer["result"]?["card"] else { fatalError("no card: \(answer)") }
      return (id, card)
    }
  }
}
