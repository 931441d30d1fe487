import Testing
import Wire

/// Which numbers are integers: those whose value is one, however it is written.
@Suite struct JSONNumberTests {
  @Test(
    "a number that is an integer gives it exactly",
    arguments: [
      ("0", 0), ("-0", 0), ("0.0", 0), ("-0.00e5", 0), ("0e99999999999999999999", 0), ("3", 3), ("3.0", 3),
      ("3e0", 3),
      ("30e-1", 3), ("0.3e1", 3), ("-1.20e1", -12), ("1E+2", 100), ("1.5e+01", 15), ("0.001e3", 1),
      ("9223372036854775807", Int.max), ("-9223372036854775808", Int.min), ("9223372036854775807.0", Int.max),
      ("-9223372036854775808.0", Int.min), ("9007199254740993.0", 9_007_199_254_740_993),
      ("9007199254740993e0", 9_007_199_254_740_993), ("922337203685477580.7e1", Int.max),
      ("1e18", 1_000_000_000_000_000_000),
      ("1000000000000000000000e-20", 10),
    ])
  func integers(text: String, expected: Int) throws {
    #expect(try JSONReader.read(Array(text.utf8)).integer == expected)
  }

  @Test(
    "a number that is no integer of 64 bits gives none",
    arguments: [
      "0.5", "1.5", "-0.1", "1e-1", "3.0000000000000000000001", "0.99999999999999999999", "1e-400", "1e400",
      "-1e400",
      "9223372036854775808", "-9223372036854775809", "9223372036854775807.5", "9223372036854775808.0", "1e19",
      "1e9999999999999999999999", "1e-9999999999999999999999", "1e9223372036854775807",
      "1.1e-9223372036854775808",
      "1e-9223372036854775807", "123456789012345678901234567890",
    ])
  func others(text: String) throws {
    #expect(try JSONReader.read(Array(text.utf8)).integer == nil)
  }

  @Test("a value that is no number gives no integer")
  func noNumbers() {
    for value in [nil, true, "3", [3], ["a": 3]] as [JSON] { #expect(value.integer == nil) }
  }
}
