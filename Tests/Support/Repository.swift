public import Foundation

/// The places of the project that tests need.
public enum Repository {
  /// The top of the project's tree, as this source file knows it.
  public static var top: URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
  }

  /// The published protocol: the document, the transcripts, the golden vaults, the reader.
  public static var protocolDirectory: URL { top.appending(path: "protocol") }

  /// The program under test: `QUICKVAULT_PROGRAM`, otherwise the one that was built with the tests.
  ///
  /// - Throws: ``Failure`` if it was not built.
  public static func program() throws -> String {
    try ProcessInfo.processInfo.environment["QUICKVAULT_PROGRAM"] ?? built() + "/quickvault"
  }

  /// The directory of the program under test and its helpers.
  ///
  /// - Throws: ``Failure`` if they were not built.
  public static func programs() throws -> String {
    try URL(filePath: program()).deletingLastPathComponent().path
  }

  /// The directory of the tests' bundle, with the programs that were built with it.
  ///
  /// - Throws: ``Failure`` if they were not built.
  public static func built() throws -> String {
    let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let arguments = CommandLine.arguments + [bundle]
    let directories = arguments.map { URL(filePath: $0).deletingLastPathComponent() }
    for directory in directories {
      let program = directory.appending(path: "quickvault").path
      if FileManager.default.isExecutableFile(atPath: program) { return directory.path }
    }
    throw Failure("quickvault was not built beside the tests: looked in \(directories.map(\.path))")
  }
}

/// A failed expectation of a test.
public struct Failure: Error, CustomStringConvertible {
  public let description: String

  public init(_ description: String) {
    self.description = description
  }
}

/// A temporary directory, deleted with the object.
public final class TemporaryDirectory: Sendable {
  public let path: String

  /// Makes an empty directory that only its owner may enter.
  public init() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "quickvault-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    path = url.resolvingSymlinksInPath().path
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The path of something in it.
  public func appending(_ name: String) -> String { path + "/" + name }
}

/// A moment after which a test gives up waiting.
public struct Deadline: Sendable {
  private let end: ContinuousClock.Instant

  public init(_ span: Duration) {
    end = .now + span
  }

  /// Long enough for a busy machine.
  public static var usual: Deadline { Deadline(.seconds(240)) }

  /// The end, for a semaphore.
  public var dispatchTime: DispatchTime { .now() + .milliseconds(Int(milliseconds)) }

  /// The remaining time, for poll(2).
  public var milliseconds: Int32 {
    let left = ContinuousClock.now.duration(to: end).components
    return Int32(clamping: max(0, left.seconds * 1_000 + left.attoseconds / 1_000_000_000_000_000))
  }
}

/// Runs blocking work on a new thread, so that it does not block the threads of the Swift runtime.
public func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    Thread { continuation.resume(with: Result { try work() }) }.start()
  }
}
