/// Writes comma-separated values (RFC 4180).
package enum CSVWriter {
  /// Appends a row, with quotes where needed, and CR LF.
  package static func write(_ cells: [String], to bytes: inout [UInt8]) {
    for (index, cell) in cells.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      write(cell, isAlone: cells.count == 1, to: &bytes)
    }
    bytes += [0x0D, 0x0A]
  }

  private static func write(_ cell: String, isAlone: Bool, to bytes: inout [UInt8]) {
    let needsQuotes = cell.utf8.contains { byte in
      switch byte {
      case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\""), 0x09, 0x0A, 0x0D: true
      default: false
      }
    }
    // White space at an end is kept by every reader only between quotes, and a row of one empty cell is a blank line.
    let hasSpace = cell.first == " " || cell.last == " "
    guard needsQuotes || hasSpace || isAlone && cell.isEmpty else {
      bytes.append(contentsOf: cell.utf8)
      return
    }
    bytes.append(UInt8(ascii: "\""))
    for byte in cell.utf8 {
      if byte == UInt8(ascii: "\"") { bytes.append(byte) }
      bytes.append(byte)
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
