public import JSON
public import JSONRPC
public import VaultModel

/// What a client hears when the vault is open.
public struct UnlockAnswer: JSONConvertible {
  /// How many cards there are.
  public var cardCount: Int
  /// After how many seconds without activity the vault locks; nil for never.
  public var autoLockSeconds: Int?
  /// Whether the client may ask, once, whether this device shall open the vault with a finger.
  public var offersBiometric: Bool
  /// The state of the vault.
  public var integrity: Integrity
  /// What there is to know of a demo vault; nil where it is none.
  public var demo: DemoAnswer?

  /// An answer of the given parts.
  public init(
    cardCount: Int, autoLockSeconds: Int?, offersBiometric: Bool, integrity: Integrity, demo: DemoAnswer?
  ) {
    self.cardCount = cardCount
    self.autoLockSeconds = autoLockSeconds
    self.offersBiometric = offersBiometric
    self.integrity = integrity
    self.demo = demo
  }

  /// The answer on the wire.
  public var json: JSON {
    let all: JSON = [
      "cardCount": .integer(cardCount),
      "autoLockSeconds": autoLockSeconds.map(JSON.integer) ?? .null,
      "offerBiometric": .bool(offersBiometric),
      "integrity": integrity.json,
    ]
    return all.with("demo", demo)
  }
}
