/// A kind of work that is measured.
enum Work: String, CaseIterable {
  case start, roundTrip, roundTripApart, unknownMethod, get, firstPage, lastPage
  case searchNothing, searchOne, searchMany, searchChinese, searchQualifier
  case createEarly, create, update, delete, importing, unlock, lock
  case attachPath, exportPath, attachData, getData, marking, thumbnail
  case showField, listToPipe, completeTitle, keyStroke
  case emacsUnlock, emacsKey, emacsAllRows, vimUnlock, vimKey, vimAllRows
  case neovimUnlock, neovimKey, neovimAllRows
  case relayRoundTrip, secondClient, sharedLock
  case publish, publishedSize, apply, join
  case memoryUnlocked, memorySearched, memoryPeak, memoryImported, memoryAttached

  var title: String {
    switch self {
    case .start: "start to `initialize` answered"
    case .roundTrip: "round trip of a small request (`vault/status`)"
    case .roundTripApart: "the same, on cores that sleep meanwhile"
    case .unknownMethod: "round trip of an unknown method"
    case .get: "read a card"
    case .firstPage: "first page of the list (50)"
    case .lastPage: "last page of the list (50)"
    case .searchNothing: "search, no hit"
    case .searchOne: "search, one hit"
    case .searchMany: "search, many hits (first 50)"
    case .searchChinese: "search, Chinese (first 50)"
    case .searchQualifier: "search with qualifiers (first 50)"
    case .createEarly: "create, durable, early in a session"
    case .create: "create, durable"
    case .update: "update, durable"
    case .delete: "delete, durable"
    case .importing: "import of 10,000 cards, durable"
    case .unlock: "unlock beyond key derivation"
    case .lock: "lock to ready again"
    case .attachPath: "attachment of 10 MiB in, by path, durable"
    case .exportPath: "attachment of 10 MiB out, by path, durable"
    case .attachData: "attachment of 10 MiB in, by base64, durable"
    case .getData: "attachment of 10 MiB out, by base64"
    case .marking: "watermark on a 12-megapixel JPEG, durable"
    case .thumbnail: "thumbnail of a 12-megapixel JPEG"
    case .showField: "`qv show X -f F`, the whole process"
    case .listToPipe: "`qv list` into a pipe, the whole process"
    case .completeTitle: "completion of a title in the shell, the whole process"
    case .keyStroke: "key stroke in an editor (LSP) to its list"
    case .emacsUnlock: "Emacs: Enter after the password to the list"
    case .emacsKey: "Emacs: letter in the search to its results, beyond the idle delay"
    case .emacsAllRows: "Emacs: last row of the list, all rows loaded"
    case .vimUnlock: "Vim: Enter after the password to the list"
    case .vimKey: "Vim: letter in the search to its results"
    case .vimAllRows: "Vim: last row of the list, all rows loaded"
    case .neovimUnlock: "Neovim: Enter after the password to the list"
    case .neovimKey: "Neovim: letter in the search to its results"
    case .neovimAllRows: "Neovim: last row of the list, all rows loaded"
    case .relayRoundTrip: "round trip of a small request through the relay"
    case .secondClient: "second client of a shared vault: started, admitted, first card"
    case .sharedLock: "lock to ready again, 8 clients on a shared vault"
    case .publish: "publish a change for other machines"
    case .publishedSize: "size of a published change, beyond the card as JSON"
    case .apply: "unlocked until 1,000 changes of another machine are applied"
    case .join: "start and join beyond key derivation"
    case .memoryUnlocked: "memory unlocked (RSS)"
    case .memorySearched: "memory after a search (RSS)"
    case .memoryPeak: "memory at its peak (RSS)"
    case .memoryImported: "memory at its peak, an import of 10,000 cards later (RSS)"
    case .memoryAttached: "memory at its peak, attachments of 10 MiB later (RSS)"
    }
  }

  /// Whether bytes are measured, and not nanoseconds.
  var isInBytes: Bool {
    switch self {
    case .publishedSize, .memoryUnlocked, .memorySearched, .memoryPeak, .memoryImported, .memoryAttached: true
    default: false
    }
  }

  /// The median of this work with a unit.
  func quantity(_ median: Double) -> String {
    isInBytes ? Quantity.bytes(median) : Quantity.time(median)
  }

  /// The target for a number of cards; nil if none is set.
  func target(cards: Int) -> Target? {
    switch self {
    case .start, .lock: .atMost(milliseconds: 10)
    case .roundTrip, .relayRoundTrip: .timesFloor(2)
    case .createEarly, .create: .timesFloor(1.5)
    case .firstPage: .atMost(milliseconds: 1)
    case .searchNothing: Self.bySize(cards, 0.8, 6, 60).map { .atMost(milliseconds: $0) }
    case .unlock: Self.bySize(cards, 3, 12, 100).map { .atMost(milliseconds: $0) }
    case .showField: .atMost(milliseconds: 10)
    case .listToPipe: cards <= 10_000 ? .atMost(milliseconds: 150) : nil
    case .completeTitle: cards <= 10_000 ? .atMost(milliseconds: 50) : nil
    case .secondClient, .sharedLock: .atMost(milliseconds: 15)
    case .publish: cards <= 10_000 ? .atMost(milliseconds: 5) : nil
    case .publishedSize: .atMost(kibibytes: 4)
    case .apply: cards <= 10_000 ? .atMost(milliseconds: 150) : nil
    case .join: cards <= 10_000 ? .atMost(milliseconds: 500) : nil
    case .keyStroke: cards <= 10_000 ? .atMost(milliseconds: 15) : nil
    case .emacsUnlock, .vimUnlock, .neovimUnlock: cards <= 10_000 ? .atMost(milliseconds: 250) : nil
    case .emacsKey, .vimKey, .neovimKey: cards <= 10_000 ? .atMost(milliseconds: 60) : nil
    case .emacsAllRows, .vimAllRows, .neovimAllRows: cards <= 10_000 ? .atMost(milliseconds: 1_000) : nil
    case .memoryUnlocked: Self.bySize(cards, 20, 25, 40).map { .atMost(mebibytes: $0) }
    case .memorySearched: .timesFloor(1.05)
    case .attachPath, .exportPath: .timesFloor(4)
    case .marking: .atMost(milliseconds: 1_000)
    case .thumbnail: .atMost(milliseconds: 200)
    default: nil
    }
  }

  private static func bySize(_ cards: Int, _ thousand: Double, _ ten: Double, _ hundred: Double) -> Double? {
    switch cards {
    case 1_000: thousand
    case 10_000: ten
    case 100_000: hundred
    default: nil
    }
  }
}

/// The greatest median to accept.
enum Target: Equatable {
  /// In nanoseconds or bytes.
  case atMost(Double)
  /// In medians of the floor.
  case timesFloor(Double)

  static func atMost(milliseconds: Double) -> Target { .atMost(milliseconds * 1_000_000) }
  static func atMost(kibibytes: Double) -> Target { .atMost(kibibytes * 1_024) }
  static func atMost(mebibytes: Double) -> Target { .atMost(mebibytes * 1_048_576) }
}

/// The same work done by the least code that could do it, measured in the same rounds.
enum Floor: String, CaseIterable {
  case echo, echoApart, echoStart, commitEarly, commit, derivation, decryption, selection, copying, before
  case content, direct, lockAlone, change, unlockRequests, searchRequest, listRequests

  var title: String {
    switch self {
    case .echo: "a C program echoes the frame"
    case .echoApart: "the same, on cores that sleep meanwhile"
    case .echoStart: "a C program starts and echoes a frame"
    case .commitEarly: "a bare one-row SQLite commit, the log growing"
    case .commit: "a bare one-row SQLite commit"
    case .derivation: "PBKDF2-HMAC-SHA256, \(VaultFiles.iterations) iterations"
    case .decryption: "AES-256-GCM over all sealed cards, a key each"
    case .selection: "SQLite gives all sealed cards"
    case .copying: "memcpy of all sealed cards"
    case .before: "memory before the search"
    case .direct: "the same without a relay"
    case .lockAlone: "the same of a process with one client"
    case .change: "the change, durable"
    case .unlockRequests: "the requests alone: unlock and a page of 200"
    case .searchRequest: "the request alone: a screen of 40"
    case .listRequests: "the requests alone: the other pages, of 1,000"
    case .content: "AES-256-GCM over 10 MiB, and a commit of them"
    }
  }
}

/// Another program to compare with.
enum Other: String, CaseIterable {
  case keePassXC = "KeePassXC"
  case pass
  case imageMagick = "ImageMagick"
}

/// The result for one kind of work and one number of cards.
struct Measurement {
  let work: Work
  let cards: Int
  let summary: Summary
  /// The floor, measured in the same rounds.
  var floor: (kind: Floor, summary: Summary)?
  var others: [Other: Summary] = [:]

  /// The median in multiples of the floor's.
  var timesFloor: Double? {
    floor.map { summary.median / $0.summary.median }
  }

  /// The median in multiples of the target, which is met up to 1; nil without a target.
  var timesTarget: Double? {
    switch work.target(cards: cards) {
    case .atMost(let value): summary.median / value
    case .timesFloor(let times): timesFloor.map { $0 / times }
    case nil: nil
    }
  }

  /// The target in words; empty without one.
  var target: String {
    switch work.target(cards: cards) {
    case .atMost(let value): work.quantity(value)
    case .timesFloor(let times): "\(Quantity.digits(times)) × floor"
    case nil: ""
    }
  }

  /// How many times faster this program is than another.
  func advantage(over other: Other) -> Double? {
    others[other].map { $0.median / summary.median }
  }
}

/// The results of one run.
struct Results {
  var measurements: [Measurement] = []
  var floors: [(kind: Floor, cards: Int, summary: Summary)] = []
  var latencies: [LockLatency] = []
  var notes: [String] = []

  subscript(work: Work, cards: Int) -> Measurement? {
    measurements.first { $0.work == work && $0.cards == cards }
  }

  /// Adds a measurement, and its floor unless that is there already.
  mutating func add(
    _ work: Work, _ cards: Int, _ summary: Summary, floor: (kind: Floor, summary: Summary)? = nil
  ) {
    measurements.append(Measurement(work: work, cards: cards, summary: summary, floor: floor))
    if let floor, floor.kind != .before { add(floor.kind, cards, floor.summary) }
  }

  /// Adds a floor, once for each number of cards.
  mutating func add(_ floor: Floor, _ cards: Int, _ summary: Summary) {
    guard !floors.contains(where: { $0.kind == floor && $0.cards == cards }) else { return }
    floors.append((floor, cards, summary))
  }

  /// Adds the results for one vault.
  mutating func append(_ results: Results) {
    measurements += results.measurements
    floors += results.floors
    latencies += results.latencies
    notes += results.notes
  }

  /// Adds the result of another program to the measurements of the same work.
  mutating func add(_ other: Other, _ work: Work, _ cards: Int, _ summary: Summary) {
    for index in measurements.indices
    where measurements[index].work == work && measurements[index].cards == cards {
      measurements[index].others[other] = summary
    }
  }
}
