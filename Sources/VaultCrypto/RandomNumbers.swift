import CGcrypt

/// Random numbers for secrets that people keep: from the kernel, by libgcrypt's strongest level.
public struct RandomNumbers {
  private var bytes: [UInt8] = []

  public init() {}

  /// Returns a number below a bound, each as likely as the others.
  ///
  /// - Throws: ``CryptoError/parametersOutOfRange`` unless the bound is 1 to 65,536.
  public mutating func next(below bound: Int) throws(CryptoError) -> Int {
    guard 1...65_536 ~= bound else { throw .parametersOutOfRange }
    // Of the numbers of 16 bits, those from the last multiple of the bound on would make the first ones likelier.
    let end = 65_536 - 65_536 % bound
    while true {
      let number = Int(try nextByte()) << 8 | Int(try nextByte())
      if number < end { return number % bound }
    }
  }

  private mutating func nextByte() throws(CryptoError) -> UInt8 {
    if bytes.isEmpty {
      try CryptoLibrary.start()
      bytes = [UInt8](repeating: 0, count: 64)
      unsafe bytes.withUnsafeMutableBytes {
        unsafe gcry_randomize($0.baseAddress, $0.count, GCRY_VERY_STRONG_RANDOM)
      }
    }
    return bytes.removeLast()
  }
}
