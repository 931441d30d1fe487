/// A moment: milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted (POSIX time).
public struct Timestamp: Hashable, Sendable {
  /// Milliseconds since 1970 in UTC; negative before.
  public var milliseconds: Int64

  /// A moment by its milliseconds since 1970 in UTC.
  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// The first moment that RFC 3339 can write: `0000-01-01T00:00:00.000Z`.
  public static let earliest = Timestamp(milliseconds: -62_167_219_200_000)
  /// The last moment that RFC 3339 can write: `9999-12-31T23:59:59.999Z`.
  public static let latest = Timestamp(milliseconds: 253_402_300_799_999)
}

extension Timestamp: Comparable {
  /// Orders moments from earlier to later.
  public static func < (left: Self, right: Self) -> Bool {
    left.milliseconds < right.milliseconds
  }
}

extension Timestamp: CustomStringConvertible {
  /// The moment as RFC 3339 text in UTC with milliseconds, `2026-11-21T06:50:12.345Z`.
  ///
  /// A moment outside the years 0000 to 9999, which RFC 3339 cannot write, is shown as the nearest that it can.
  public var description: String {
    let total = min(max(milliseconds, Self.earliest.milliseconds), Self.latest.milliseconds)
    let days = Self.floorDivide(total, 86_400_000)
    let inDay = total - days * 86_400_000
    let date = Self.date(ofDay: days)
    var text: [UInt8] = []
    text.reserveCapacity(24)
    Self.append(date.year, 4, "-", to: &text)
    Self.append(date.month, 2, "-", to: &text)
    Self.append(date.day, 2, "T", to: &text)
    Self.append(inDay / 3_600_000, 2, ":", to: &text)
    Self.append(inDay / 60_000 % 60, 2, ":", to: &text)
    Self.append(inDay / 1000 % 60, 2, ".", to: &text)
    Self.append(inDay % 1000, 3, "Z", to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends the last digits of a number, and a separator.
  private static func append(
    _ number: Int64, _ width: Int, _ sign: Unicode.Scalar, to text: inout [UInt8]
  ) {
    var weight: Int64 = 1
    for _ in 1..<width { weight *= 10 }
    while weight > 0 {
      text.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / weight % 10))
      weight /= 10
    }
    text.append(UInt8(ascii: sign))
  }
}

extension Timestamp {
  /// Parses RFC 3339; nil if the text is anything else.
  ///
  /// Any offset and any number of fraction digits are read, those beyond milliseconds dropped. A leap second
  /// (`23:59:60`) is the first moment of the next day.
  public init?(_ text: String) {
    var reader = DigitReader(bytes: Array(text.utf8))
    guard let year = reader.number(4), reader.skip("-"), let month = reader.number(2), reader.skip("-"),
      let day = reader.number(2), reader.skip("T", "t", " "),
      let hour = reader.number(2), reader.skip(":"), let minute = reader.number(2), reader.skip(":"),
      let second = reader.number(2), let fraction = reader.fraction(), let offset = reader.offset(),
      reader.isAtEnd, 1...12 ~= month, 1...Self.days(inMonth: month, of: year) ~= day,
      hour < 24, minute < 60, second <= 60
    else { return nil }
    let minutes = (Self.day(year: year, month: month, day: day) * 24 + hour) * 60 + minute - offset
    let moment = Timestamp(milliseconds: (minutes * 60 + second) * 1000 + fraction)
    guard (Self.earliest...Self.latest).contains(moment) else { return nil }
    self = moment
  }

  private static func floorDivide(_ number: Int64, _ divisor: Int64) -> Int64 {
    number >= 0 ? number / divisor : -((divisor - 1 - number) / divisor)
  }

  private static func isLeap(_ year: Int64) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  private static func days(inMonth month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days since 1970-01-01 in the proleptic Gregorian calendar; years here begin in March, so that the leap day is
  /// the last of its year.
  private static func day(year: Int64, month: Int64, day: Int64) -> Int64 {
    let marchYear = month > 2 ? year : year - 1
    let marchMonth = (month + 9) % 12
    let leapDays = floorDivide(marchYear, 4) - floorDivide(marchYear, 100) + floorDivide(marchYear, 400)
    return marchYear * 365 + leapDays + (marchMonth * 153 + 2) / 5 + day - 1 - 719_468
  }

  private static func date(ofDay number: Int64) -> (year: Int64, month: Int64, day: Int64) {
    var year = 1970 + floorDivide(number * 400, 146_097)
    while day(year: year, month: 1, day: 1) > number { year -= 1 }
    while day(year: year + 1, month: 1, day: 1) <= number { year += 1 }
    var rest = number - day(year: year, month: 1, day: 1)
    var month: Int64 = 1
    while rest >= days(inMonth: month, of: year) {
      rest -= days(inMonth: month, of: year)
      month += 1
    }
    return (year, month, rest + 1)
  }
}

/// Reads the parts of RFC 3339 text one after another.
private struct DigitReader {
  let bytes: [UInt8]
  var position = 0

  var isAtEnd: Bool { position == bytes.count }

  mutating func skip(_ choices: Unicode.Scalar...) -> Bool {
    guard position < bytes.count, choices.contains(Unicode.Scalar(bytes[position])) else { return false }
    position += 1
    return true
  }

  mutating func digit() -> Int64? {
    guard position < bytes.count, bytes[position] >= 48, bytes[position] <= 57 else { return nil }
    defer { position += 1 }
    return Int64(bytes[position]) - 48
  }

  mutating func number(_ width: Int) -> Int64? {
    var number: Int64 = 0
    for _ in 0..<width {
      guard let digit = digit() else { return nil }
      number = number * 10 + digit
    }
    return number
  }

  /// Milliseconds: none without a point, and at least one digit after it.
  mutating func fraction() -> Int64? {
    guard skip(".") else { return 0 }
    guard let first = digit() else { return nil }
    var milliseconds = first * 100
    var weight: Int64 = 10
    while let digit = digit() {
      milliseconds += digit * weight
      weight /= 10
    }
    return milliseconds
  }

  /// The offset from UTC in minutes.
  mutating func offset() -> Int64? {
    if skip("Z", "z") { return 0 }
    let sign: Int64
    if skip("+") { sign = 1 } else if skip("-") { sign = -1 } else { return nil }
    guard let hours = number(2), skip(":"), let minutes = number(2), hours < 24, minutes < 60 else {
      return nil
    }
    return sign * (hours * 60 + minutes)
  }
}
