/// HKDF with SHA-256 (RFC 5869).
public enum HKDF {
  /// Extracts a 32-byte key from a secret (RFC 5869, section 2.2). An empty salt stands for
  /// 32 zero bytes, as the RFC says.
  ///
  /// - Throws: ``CryptoError/secureMemoryExhausted``; ``CryptoError/libraryFailure(operation:code:)``.
  public static func extract(salt: [UInt8], from secret: SecretBytes) throws(CryptoError) -> SecretBytes {
    let key = salt.isEmpty ? [UInt8](repeating: 0, count: MessageAuthenticator.codeCount) : salt
    var authenticator = try MessageAuthenticator(key: SecretBytes(copying: key))
    return try SecretBytes(count: MessageAuthenticator.codeCount) { (output) throws(CryptoError) in
      try secret.withSpan { (message) throws(CryptoError) in
        try authenticator.authenticate(message, into: &output)
      }
    }
  }

  /// Derives the key of one purpose from a key (RFC 5869, section 2.3).
  ///
  /// - Parameters:
  ///   - key: At least 32 bytes, random or from ``extract(salt:from:)``.
  ///   - info: the purpose of the result.
  ///   - count: Its length in bytes: 1 to 8,160.
  /// - Throws: ``CryptoError/parametersOutOfRange`` for another count; ``CryptoError/secureMemoryExhausted``;
  ///   ``CryptoError/libraryFailure(operation:code:)``.
  public static func expand(
    _ key: SecretBytes, info: [UInt8], count: Int = 32
  ) throws(CryptoError) -> SecretBytes {
    let blockCount = MessageAuthenticator.codeCount
    guard (1...255 * blockCount).contains(count) else { throw .parametersOutOfRange }
    var authenticator = try MessageAuthenticator(key: key)
    // One message after another: previous block ‖ info ‖ number. The first message leaves the previous block out.
    var message = try SecureMemory(count: blockCount + info.count + 1)
    message.withMutableSpan { span in
      for index in info.indices {
        span.storeBytes(of: info[index], toByteOffset: blockCount + index, as: UInt8.self)
      }
    }
    return try SecretBytes(count: count) { (output) throws(CryptoError) in
      var block = try SecureMemory(count: blockCount)
      for start in stride(from: 0, to: count, by: blockCount) {
        message.withMutableSpan { span in
          let number = UInt8(truncatingIfNeeded: start / blockCount + 1)
          span.storeBytes(of: number, toByteOffset: span.byteCount - 1, as: UInt8.self)
        }
        try message.withSpan { (span) throws(CryptoError) in
          try block.withMutableSpan { (code) throws(CryptoError) in
            try authenticator.authenticate(
              start == 0 ? span.extracting(droppingFirst: blockCount) : span, into: &code)
          }
        }
        block.withSpan { code in
          message.withMutableSpan { span in span.copy(code, at: 0) }
          output.copy(code.extracting(first: min(blockCount, count - start)), at: start)
        }
      }
    }
  }

  /// The same with the purpose as ASCII text.
  static func expand(_ key: SecretBytes, purpose: String) throws(CryptoError) -> SecretBytes {
    try expand(key, info: Array(purpose.utf8))
  }
}
