import Foundation
import Testing

@testable import Wire

/// A temporary root with directories of runtime files, and places in it.
final class Places: Sendable {
  let root: String

  init() throws {
    var template = Array("/tmp/quickvault-places-XXXXXX".utf8CString)
    let made = try #require(unsafe mkdtemp(&template))
    root = unsafe String(cString: made)
    for name in ["run", "run/user", "tmp", "data"] { try make(name) }
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  /// The user's runtime directory below the root.
  var runtime: String { "run/user/\(geteuid())" }

  /// Makes a directory with a mode.
  @discardableResult func make(_ name: String, mode: mode_t = 0o700) throws -> String {
    let path = "\(root)/\(name)"
    guard mkdir(path, 0o700) == 0, chmod(path, mode) == 0 else {
      throw POSIXError(.init(rawValue: errno) ?? .EIO)
    }
    return path
  }

  /// The place of a vault, where `XDG_RUNTIME_DIR` has a value.
  func place(_ runtimeDirectory: String? = nil, vault: String = "data/vault") throws -> ServiceLocation {
    try ServiceLocation(
      vault: "\(root)/\(vault)", environment: { $0 == "XDG_RUNTIME_DIR" ? runtimeDirectory : nil }, root: root
    )
  }
}
