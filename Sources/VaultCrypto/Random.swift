import CGcrypt

/// Random bytes for salts and identifiers, from the kernel.
///
/// - Throws: ``CryptoError/parametersOutOfRange`` for a negative count.
public func randomBytes(_ count: Int) throws(CryptoError) -> [UInt8] {
  try CryptoLibrary.start()
  guard count >= 0 else { throw .parametersOutOfRange }
  var bytes = [UInt8](repeating: 0, count: count)
  unsafe bytes.withUnsafeMutableBytes { target in
    unsafe gcry_randomize(target.baseAddress, target.count, GCRY_STRONG_RANDOM)
  }
  return bytes
}
