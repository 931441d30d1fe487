/// How much is simulated.
struct Scale {
  let replicas: Int
  let cards: Int
  let changes: Int
  /// The rounds of ten years, in each of which a machine synchronises once if it is there.
  let rounds: Int
  let seed: UInt64

  /// - Parameter words: the numbers in order.
  init?(_ words: [String]) {
    let numbers = words.compactMap { Int($0) }
    guard numbers.count == 5, words.count == 5, numbers[0] >= 4, numbers[1] > 0, numbers[2] > 0,
      numbers[3] > 0, let seed = UInt64(exactly: numbers[4])
    else { return nil }
    (replicas, cards, changes, rounds) = (numbers[0], numbers[1], numbers[2], numbers[3])
    self.seed = seed
  }
}
