/// The handles behind a ``RecordSealer`` in one value with one owner, so that a record costs one check of exclusive access.
struct RecordCipher: ~Copyable {
  private var authenticator: MessageAuthenticator
  private var cipher: AuthenticatedCipher
  private var key: SecureMemory

  init(recordKey: SecretBytes) throws(CryptoError) {
    guard recordKey.count == AuthenticatedCipher.keyCount else { throw .parametersOutOfRange }
    let authenticator = try MessageAuthenticator(key: recordKey)
    let cipher = try AuthenticatedCipher()
    let key = try SecureMemory(count: AuthenticatedCipher.keyCount)
    self.authenticator = authenticator
    self.cipher = cipher
    self.key = key
  }

  /// Writes salt ‖ ciphertext ‖ tag to `output`, which has room for exactly these.
  mutating func seal(
    _ plaintext: RawSpan, at place: RecordContext, salt: Salt, into output: inout MutableRawSpan
  ) throws(CryptoError) {
    salt.store(in: &output, at: 0)
    try begin(salt: salt, place: place)
    try cipher.seal(plaintext, into: &output, at: Salt.count)
  }

  /// Opens a sealed record of at least 32 bytes into `output`, which has room for exactly the plaintext.
  mutating func open(
    _ sealed: RawSpan, at place: RecordContext, into output: inout MutableRawSpan
  ) throws(CryptoError) {
    try begin(salt: Salt(sealed.extracting(first: Salt.count)), place: place)
    try cipher.open(sealed.extracting(droppingFirst: Salt.count), into: &output)
  }

  /// Derives the record's key (the one block of HKDF-Expand: HMAC over salt ‖ 1) and sets the cipher up with it.
  private mutating func begin(salt: Salt, place: RecordContext) throws(CryptoError) {
    var message = InlineArray<17, UInt8>(repeating: 1)
    var elements = message.mutableSpan
    var span = unsafe elements.mutableBytes
    salt.store(in: &span, at: 0)
    try key.withMutableSpan { (code) throws(CryptoError) in
      try authenticator.authenticate(span.bytes, into: &code)
    }
    try key.withSpan { (key) throws(CryptoError) in
      try place.withAssociatedData { (associatedData) throws(CryptoError) in
        try cipher.begin(key: key, associatedData: associatedData)
      }
    }
  }
}
