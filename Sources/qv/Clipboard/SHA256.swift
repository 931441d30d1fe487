/// SHA-256 (FIPS 180-4). Implemented here because qv links no cryptographic library.
enum SHA256 {
  private static let constants: [UInt32] = primes(64).map { fraction(cubeRoot, $0) }
  private static let start: [UInt32] = primes(8).map { fraction(squareRoot, $0) }

  static func digest(_ message: [UInt8]) -> [UInt8] {
    var padded = message + [0x80]
    padded += [UInt8](repeating: 0, count: (120 - padded.count % 64) % 64)
    padded += bigEndian(UInt64(message.count) * 8)
    var state = start
    for block in stride(from: 0, to: padded.count, by: 64) { compress(&state, padded[block..<block + 64]) }
    return state.flatMap(bigEndian)
  }

  private static func compress(_ state: inout [UInt32], _ block: ArraySlice<UInt8>) {
    var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { place in
      block[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
    for index in 16..<64 {
      let (old, new) = (words[index - 15], words[index - 2])
      let (first, second) = (
        rotate(old, 7) ^ rotate(old, 18) ^ old >> 3, rotate(new, 17) ^ rotate(new, 19) ^ new >> 10
      )
      words.append(words[index - 16] &+ first &+ words[index - 7] &+ second)
    }
    var (a, b, c, d, e, f, g, h) = (
      state[0], state[1], state[2], state[3], state[4], state[5], state[6], state[7]
    )
    for index in 0..<64 {
      let choice = h &+ (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) &+ (e & f ^ ~e & g)
      let first = choice &+ constants[index] &+ words[index]
      let second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) &+ (a & b ^ a & c ^ b & c)
      (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
    }
    for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= value }
  }

  private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word >> count | word << (32 - count)
  }

  private static func bigEndian<Word: FixedWidthInteger>(_ word: Word) -> [UInt8] {
    stride(from: Word.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> Word($0)) }
  }

  // MARK: The constants: the first 32 bits of the fractions of roots of the first primes

  private static func primes(_ count: Int) -> [UInt64] {
    var primes: [UInt64] = []
    var number: UInt64 = 2
    while primes.count < count {
      if primes.allSatisfy({ number % $0 != 0 }) { primes.append(number) }
      number += 1
    }
    return primes
  }

  private static func fraction(_ power: (UInt64, UInt64) -> Bool, _ prime: UInt64) -> UInt32 {
    // The largest number whose power does not exceed the prime, both scaled by 2^32.
    var root: UInt64 = 0
    for bit in stride(from: 36 as UInt64, through: 0, by: -1) where power(root | 1 << bit, prime) {
      root |= 1 << bit
    }
    return UInt32(truncatingIfNeeded: root)
  }

  private static func squareRoot(_ root: UInt64, _ prime: UInt64) -> Bool {
    let square = root.multipliedFullWidth(by: root)
    return (square.high, square.low) <= (prime, 0)
  }

  private static func cubeRoot(_ root: UInt64, _ prime: UInt64) -> Bool {
    // In 192 bits: root³ ≤ prime × 2^96.
    let square = root.multipliedFullWidth(by: root)
    let low = square.low.multipliedFullWidth(by: root)
    let high = square.high.multipliedFullWidth(by: root)
    let (middle, carries) = high.low.addingReportingOverflow(low.high)
    return (high.high + (carries ? 1 : 0), middle, low.low) <= (0, prime << 32, 0)
  }
}
