package import HelperProtocols

/// What a pass did.
package struct MirrorOutcome: Equatable, Sendable {
  package var received = 0
  package var sent = 0
  package var removedHere = 0
  package var removedThere = 0
  package var bytesReceived = 0
  package var bytesSent = 0
  /// Files that were not copied, because one side is damaged: the first ``limit`` of them.
  package private(set) var damaged: [String] = []
  /// Those of them that the server has damaged. Of the others it may be this machine.
  package private(set) var damagedThere: [String] = []
  /// Files that were not copied or removed for another reason: the first ``limit`` of them.
  package private(set) var failures: [CarrierMirror.Failure] = []
  /// Why uploads were less safe than usual: ``CarrierError/renameRefused(_:)``.
  package var notice: CarrierError?
  private static let limit = 1_000

  package init() {}

  mutating func note(damaged file: MirroredFile, isThere: Bool = false) {
    guard damaged.count < Self.limit else { return }
    damaged.append(file.path)
    if isThere { damagedThere.append(file.path) }
  }

  mutating func note(_ error: CarrierError, of path: String) {
    guard failures.count < Self.limit else { return }
    failures.append(CarrierMirror.Failure(file: path, error: error))
  }

  /// Whether everything was carried.
  package var isComplete: Bool { damaged.isEmpty && failures.isEmpty }
}
