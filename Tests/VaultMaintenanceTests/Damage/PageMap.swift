import Foundation
import SessionSupport

/// What each byte of an intact file is for, as far as damage to it may go unseen.
struct PageMap {
  /// Why damage to a byte changes nothing that anybody keeps in a vault.
  enum Harmless: String, CaseIterable {
    case freePage = "a page that belongs to nothing"
    case unusedRoom = "room in a page that no row uses"
    case plainRows = "a row of the lock-out, the log or their counter, which nothing seals"
    case index = "an index, which holds nothing that its table does not"
    case counters = "a count, a hint or a spare byte of SQLite's in the file's header"
    case parting = "a number at which a tree parts, where it parts in the same place all the same"
    case rowNumber = "the number of a row that nothing refers to"
    case transactionID = "an ID of a transaction, which nothing seals"
    case overflowRest = "the rest of a row's last page"
  }

  private var harmless: [Harmless?]
  /// The b-tree that a page belongs to, by its number from 1.
  private(set) var owners: [Int: String] = [:]
  let pageSize: Int

  init(_ raw: RawFile, pageSize: Int) throws {
    self.pageSize = pageSize
    harmless = []
    for row in try raw.rows("SELECT pageno, name FROM dbstat") { owners[Int(row[0]) ?? 0] = row[1] }
  }

  /// Reads a file that SQLite finds intact.
  init(_ image: [UInt8], _ raw: RawFile, pageSize: Int) throws {
    try self.init(raw, pageSize: pageSize)
    harmless = [Harmless?](repeating: nil, count: image.count)
    let kinds = Dictionary(
      try raw.rows("SELECT pageno, pagetype FROM dbstat").map { (Int($0[0]) ?? 0, $0[1]) },
      uniquingKeysWith: { $1 })
    let unused = Dictionary(
      try raw.rows("SELECT pageno, unused FROM dbstat").map { (Int($0[0]) ?? 0, Int($0[1]) ?? 0) },
      uniquingKeysWith: { $1 })
    for page in 1...image.count / pageSize {
      let start = (page - 1) * pageSize
      let all = start..<start + pageSize
      guard let owner = owners[page] else {
        mark(all, .freePage)
        continue
      }
      if ["lockout", "event", "sqlite_sequence"].contains(owner) { mark(all, .plainRows) }
      if owner.hasPrefix("sqlite_autoindex") { mark(all, .index) }
      if kinds[page] == "overflow" {
        mark(all.upperBound - (unused[page] ?? 0)..<all.upperBound, .overflowRest)
      } else {
        markUnused(image, page: page, owner: owner)
      }
    }
    // <https://www.sqlite.org/fileformat2.html>, "The Database Header": the change counter, the size in pages with it, the
    // list of free pages and its length, the schema's cookie, the cache's size, the vacuum's fields, what is reserved, and
    // who wrote last.
    for field in [
      24..<28, 28..<32, 32..<36, 36..<40, 40..<44, 44..<47, 48..<52, 56..<59, 52..<56, 64..<68, 72..<92,
      92..<96,
      96..<100,
    ] {
      mark(field, .counters)
    }
  }

  /// Why a change of this byte in these bytes may go unseen; nil if it may not.
  func reason(_ offset: Int, of bytes: [UInt8]) -> Harmless? {
    // SQLite looks at two bits of the text's encoding, and takes 0 for UTF-8 as well.
    offset == 59 && bytes[offset] & 3 <= 1 ? .counters : reason(offset)
  }

  /// Why a change of this byte may go unseen; nil if it may not.
  func reason(_ offset: Int) -> Harmless? { harmless[offset] }

  private mutating func mark(_ range: Range<Int>, _ reason: Harmless) {
    for offset in range { harmless[offset] = reason }
  }

  /// Marks what lies between the cells of a leaf, and the numbers of rows that nothing refers to.
  private mutating func markUnused(_ image: [UInt8], page: Int, owner: String) {
    let start = (page - 1) * pageSize
    let head = start + (page == 1 ? 100 : 0)
    guard [13, 10, 5].contains(image[head]) else { return }
    let headCount = image[head] == 5 ? 12 : 8
    let count = Int(image[head + 3]) << 8 | Int(image[head + 4])
    var used = IndexSet(integersIn: head..<head + headCount + 2 * count)
    for index in 0..<count {
      let pointer = head + headCount + 2 * index
      let offset = Int(image[pointer]) << 8 | Int(image[pointer + 1])
      guard image[head] != 5 else {
        // A page number and a key, at which the tree parts.
        let (_, keyBytes) = Self.varint(image, start + offset + 4)
        used.insert(integersIn: start + offset..<start + offset + 4 + keyBytes)
        mark(start + offset + 4..<start + offset + 4 + keyBytes, .parting)
        continue
      }
      let (payload, payloadBytes) = Self.varint(image, start + offset)
      let isTable = image[head] == 13
      let (_, numberBytes) = isTable ? Self.varint(image, start + offset + payloadBytes) : (0, 0)
      let most = isTable ? pageSize - 35 : (pageSize - 12) * 64 / 255 - 23
      let least = (pageSize - 12) * 32 / 255 - 23
      let wanted = least + (payload - least) % (pageSize - 4)
      let local = payload <= most ? payload : (wanted <= most ? wanted : least) + 4
      let first = start + offset
      used.insert(integersIn: first..<first + payloadBytes + numberBytes + local)
      if isTable, ["sqlite_schema", "slot", "migration"].contains(owner) {
        mark(first + payloadBytes..<first + payloadBytes + numberBytes, .rowNumber)
      }
      if owner == "vault", local == payload {
        // The last two columns: their types at the end of the row's header, and their values at the end of the row.
        let row = first + payloadBytes + numberBytes
        let headerEnd = row + Self.varint(image, row).0
        mark(headerEnd - 2..<headerEnd, .transactionID)
        mark(row + payload - 32..<row + payload, .transactionID)
      }
    }
    for offset in head..<start + pageSize where !used.contains(offset) { harmless[offset] = .unusedRoom }
    // Where the first free block is, where the cells begin, and how many bytes lie scattered.
    mark(head + 1..<head + 3, .unusedRoom)
    mark(head + 5..<head + 8, .unusedRoom)
  }

  private static func varint(_ image: [UInt8], _ offset: Int) -> (Int, Int) {
    var value = 0
    for index in 0..<9 {
      value = value << 7 | Int(image[offset + index] & 0x7f)
      if image[offset + index] & 0x80 == 0 { return (value, index + 1) }
    }
    return (value, 9)
  }
}
