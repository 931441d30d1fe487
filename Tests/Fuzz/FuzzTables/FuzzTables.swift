import FuzzEntries

import VaultExchange
import VaultInterface

/// Any bytes are a table or are refused; its cards are valid, and the cells of a table that is written are those that were
/// read.
#if FUZZING
  @_cdecl("LLVMFuzzerTestOneInput")
#endif
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  Entries.check(bytes, ImportOptions(format: .csv))
  guard let text = try? TextEncoding.decode(bytes).text else { return 0 }
  var reader = CSVReader(text)
  guard let first = try? reader.next(), !first.isUnfinished else { return 0 }
  var written: [UInt8] = []
  CSVWriter.write(["a", "b"], to: &written)
  CSVWriter.write(first.cells, to: &written)
  var again = CSVReader(written)
  guard (try? again.next())?.cells == ["a", "b"], (try? again.next())?.cells == first.cells else {
    fatalError("what was written is not what was read")
  }
  return 0
}
