import Foundation
import Synchronization
import Testing

@testable import Vault

extension KnownFiles<String> {
  /// Returns what is in a file, which `read` reads if it may have changed.
  fileprivate func content(_ path: String, _ read: () -> String) -> String {
    let file = inspect(path)
    if let finding = file.finding { return finding }
    let content = read()
    note(content, in: file)
    return content
  }
}

@Suite("Known files")
struct KnownFilesTests {
  private let path = FileManager.default.temporaryDirectory.path + "/known-" + UUID().uuidString

  private func write(_ text: String, atomically: Bool = false) throws {
    try text.write(toFile: path, atomically: atomically, encoding: .utf8)
  }

  @Test("S a file is read again after it was written, replaced or given an earlier time, and not otherwise")
  func changes() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let files = KnownFiles<String>(minimumAge: 0)
    try write("one")
    var count = 0
    func content() -> String {
      files.content(path) {
        count += 1
        return "\(count)"
      }
    }
    for _ in 0..<3 { #expect(content() == "1") }
    try write("longer")
    for _ in 0..<2 { #expect(content() == "2") }
    try write("LONGER", atomically: true)
    for _ in 0..<2 { #expect(content() == "3") }
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: path)
    for _ in 0..<2 { #expect(content() == "4") }
    files.forget(path)
    #expect(content() == "5")
    try FileManager.default.removeItem(atPath: path)
    #expect(files.inspect(path).size == nil)
    #expect(content() == "6" && content() == "7")
  }

  @Test("S a file that was written a moment ago is read again later: another write might not show")
  func young() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let later = Mutex<Int64>(0)
    let files = KnownFiles<String> { FileStamp.systemTime() + later.withLock { $0 } }
    try write("one")
    var count = 0
    func content() -> String {
      files.content(path) {
        count += 1
        return "\(count)"
      }
    }
    for _ in 0..<2 { #expect(content() == "1") }
    later.withLock { $0 = 10_000_000_000 }
    for _ in 0..<2 { #expect(content() == "2") }
  }

  @Test("S a file that this process wrote is not read before a moment has passed")
  func written() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let later = Mutex<Int64>(0)
    let files = KnownFiles<String> { FileStamp.systemTime() + later.withLock { $0 } }
    try write("one")
    files.noteWritten("one", path)
    #expect(files.content(path) { "read" } == "one")
    later.withLock { $0 = 10_000_000_000 }
    #expect(files.content(path) { "read" } == "read")
    files.noteWritten("one", path)
    try write("longer")
    #expect(files.content(path) { "read" } == "read")
  }

  @Test("S what was found in a file that was written meanwhile does not count")
  func writtenMeanwhile() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let files = KnownFiles<String>(minimumAge: 0)
    try write("one")
    let file = files.inspect(path)
    try write("longer")
    files.note("one", in: file)
    #expect(files.inspect(path).finding == nil)
  }
}
