import Wire

extension Results {
  /// All results as JSON: times in nanoseconds, memory in bytes, ratios in thousandths.
  func json(machine: [(name: String, value: String)]) -> JSON {
    [
      "machine": .object(machine.map { .init($0.name, .string($0.value)) }),
      "measurements": .array(measurements.map(\.json)),
      "floors": .array(
        floors.map { floor in
          .object(
            [
              .init("floor", .string(floor.kind.rawValue)), .init("title", .string(floor.kind.title)),
              .init("cards", .integer(floor.cards)),
            ] + floor.summary.members)
        }),
      "notes": .array(notes.map { .string($0) }),
    ]
  }
}

extension Measurement {
  fileprivate var json: JSON {
    var members: [JSON.Member] = [
      .init("work", .string(work.rawValue)), .init("title", .string(work.title)),
      .init("cards", .integer(cards)), .init("unit", work.isInBytes ? "bytes" : "nanoseconds"),
    ]
    members += summary.members
    if let floor {
      members.append(
        .init("floor", .object([.init("name", .string(floor.kind.rawValue))] + floor.summary.members)))
    }
    if let timesFloor { members.append(.init("timesFloorThousandths", .rounding(timesFloor * 1_000))) }
    if let timesTarget {
      members.append(.init("timesTargetThousandths", .rounding(timesTarget * 1_000)))
      members.append(.init("meetsTarget", .bool(timesTarget <= 1)))
    }
    for other in Other.allCases {
      if let summary = others[other] { members.append(.init(other.rawValue, .object(summary.members))) }
    }
    return .object(members)
  }
}

extension Summary {
  fileprivate var members: [JSON.Member] {
    [
      .init("rounds", .integer(count)), .init("least", .rounding(least)), .init("tenth", .rounding(tenth)),
      .init("median", .rounding(median)), .init("ninetieth", .rounding(ninetieth)),
    ]
  }
}

extension JSON {
  /// The nearest integer; null for a value that is not finite.
  fileprivate static func rounding(_ value: Double) -> JSON {
    Int(exactly: value.rounded()).map { .integer($0) } ?? .null
  }
}
