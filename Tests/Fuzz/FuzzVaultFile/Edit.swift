/// One change of a file: what, where, by what.
struct Edit {
  private static let page = 4096

  /// Makes the changes that six bytes each describe.
  ///
  /// - Returns: the file, and the write-ahead log that lies beside it; nil if there is none.
  static func apply(_ description: [UInt8], to file: [UInt8]) -> (file: [UInt8], log: [UInt8]?) {
    var file = file
    var rest = description[...]
    while rest.count >= 6, !file.isEmpty {
      let edit = Array(rest.prefix(6))
      rest = rest.dropFirst(6)
      let place = (Int(edit[1]) << 16 | Int(edit[2]) << 8 | Int(edit[3])) % file.count
      let length = min(Int(edit[5]) + 1, file.count - place)
      switch edit[0] % 9 {
      case 0: file[place] ^= max(edit[4], 1)
      case 1: file[place] = edit[4]
      case 2: file.replaceSubrange(place..<(place + length), with: repeatElement(edit[4], count: length))
      case 3: copy(length, from: place, by: Int(edit[4]), in: &file)
      case 4: file.removeLast(file.count - place)
      case 5: file += repeatElement(edit[4], count: length * 16)
      case 6: swapPages(place / page, Int(edit[4]), in: &file)
      case 7: file[place] &+= edit[4]
      default: return (file, Array(rest))
      }
    }
    return (file, nil)
  }

  private static func copy(_ length: Int, from place: Int, by pages: Int, in file: inout [UInt8]) {
    let target = (place + pages * 64) % file.count
    let bytes = Array(file[place..<(place + min(length, file.count - target, file.count - place))])
    file.replaceSubrange(target..<(target + bytes.count), with: bytes)
  }

  private static func swapPages(_ left: Int, _ right: Int, in file: inout [UInt8]) {
    let count = file.count / page
    guard count > 0, case let (left, right) = (left % count, right % count), left != right else { return }
    for offset in 0..<page { file.swapAt(left * page + offset, right * page + offset) }
  }
}
