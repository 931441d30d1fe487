import Foundation
import Synchronization
import Testing

@testable import Vault

extension VerifiedFiles {
  /// Returns whether a file is valid, as `body` finds if it must be verified.
  fileprivate func isValid(_ path: String, _ body: () -> Bool) -> Bool {
    let file = inspect(path)
    if file.isVerified { return true }
    guard body() else {
      forget(path)
      return false
    }
    noteValid(file)
    return true
  }
}

@Suite("Verified files")
struct VerifiedFilesTests {
  private let path = FileManager.default.temporaryDirectory.path + "/verified-" + UUID().uuidString

  private func write(_ text: String, atomically: Bool = false) throws {
    try text.write(toFile: path, atomically: atomically, encoding: .utf8)
  }

  @Test(
    "S a file is verified again after it was written, replaced or given an earlier time, and not otherwise")
  func changes() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let files = VerifiedFiles(minimumAge: 0)
    try write("one")
    var count = 0
    func isValid(_ value: Bool = true) -> Bool {
      files.isValid(path) {
        count += 1
        return value
      }
    }
    #expect(isValid() && isValid() && isValid())
    #expect(count == 1)
    try write("longer")
    #expect(isValid() && isValid())
    #expect(count == 2)
    try write("LONGER", atomically: true)
    #expect(isValid() && isValid())
    #expect(count == 3)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: path)
    #expect(isValid() && isValid())
    #expect(count == 4)
    files.forget(path)
    #expect(!isValid(false) && !isValid(false))
    #expect(count == 6)
    try FileManager.default.removeItem(atPath: path)
    #expect(!isValid(false))
    #expect(count == 7)
  }

  @Test("S a file that was written a moment ago is verified again later: another write might not show")
  func young() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let later = Mutex<Int64>(0)
    let files = VerifiedFiles { VerifiedFiles.systemTime() + later.withLock { $0 } }
    try write("one")
    var count = 0
    func isValid() -> Bool {
      files.isValid(path) {
        count += 1
        return true
      }
    }
    #expect(isValid() && isValid())
    #expect(count == 1)
    later.withLock { $0 = 10_000_000_000 }
    #expect(isValid() && isValid())
    #expect(count == 2)
  }

  @Test("S a file that this process wrote is not verified before a moment has passed")
  func written() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let later = Mutex<Int64>(0)
    let files = VerifiedFiles { VerifiedFiles.systemTime() + later.withLock { $0 } }
    try write("one")
    files.noteWritten(path)
    #expect(files.isValid(path) { false })
    later.withLock { $0 = 10_000_000_000 }
    #expect(!files.isValid(path) { false })
    files.noteWritten(path)
    try write("longer")
    #expect(!files.isValid(path) { false })
  }

  @Test("S a file that was written while it was verified is verified again")
  func writtenMeanwhile() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let files = VerifiedFiles(minimumAge: 0)
    try write("one")
    let file = files.inspect(path)
    try write("longer")
    files.noteValid(file)
    #expect(!files.inspect(path).isVerified)
  }
}
