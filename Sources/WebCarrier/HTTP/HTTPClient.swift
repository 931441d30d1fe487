import CWeb
import Glibc
import HelperProtocols

/// Sends requests to the origin of one address, one after another over one connection.
///
/// It follows redirects only within the origin, and verifies certificates.
@safe final class HTTPClient {
  let address: WebAddress
  private let handle: UnsafeMutableRawPointer
  private let authorities: String?
  private let timeouts: HTTPTimeouts
  private let cancellation: any CancellationSource

  init(_ address: WebAddress, _ credentials: Credentials?, _ environment: WebEnvironment) throws(CarrierError)
  {
    curl_global_init(Int(CURL_GLOBAL_DEFAULT))
    guard let handle = unsafe curl_easy_init() else { throw .folder(ENOMEM) }
    (self.address, authorities) = (address, environment.authorities)
    (timeouts, cancellation) = (environment.timeouts, environment.cancellation)
    unsafe self.handle = unsafe handle
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_SSL_VERIFYPEER, 1)
    set(CURLOPT_SSL_VERIFYHOST, 2)
    set(CURLOPT_CONNECTTIMEOUT, timeouts.stall)
    set(CURLOPT_LOW_SPEED_LIMIT, 1)
    set(CURLOPT_LOW_SPEED_TIME, timeouts.stall)
    set(CURLOPT_NOPROGRESS, 0)
    set(CURLOPT_USERAGENT, "quickvault-carrier")
    // A proxy would read what must not leave this machine unencrypted.
    if !address.isEncrypted { set(CURLOPT_PROXY, "") }
    if let authorities { set(CURLOPT_CAINFO, authorities) }
    switch credentials {
    case .password(let user, let password)?:
      set(CURLOPT_HTTPAUTH, 1)
      set(CURLOPT_USERNAME, user)
      set(CURLOPT_PASSWORD, password)
    case .token(let token)?:
      set(CURLOPT_HTTPAUTH, 1 << 6)
      set(CURLOPT_XOAUTH2_BEARER, token)
    case nil: break
    }
  }

  deinit {
    unsafe curl_easy_cleanup(handle)
  }

  /// Returns the response of any status but a redirect.
  func send(_ request: HTTPRequest) throws(CarrierError) -> HTTPResponse {
    var request = request
    for _ in 0..<4 {
      let response = try perform(request)
      guard [301, 302, 307, 308].contains(response.status) else { return response }
      guard
        let location = unsafe ccurl_text(handle, CURLINFO_REDIRECT_URL).map({ unsafe String(cString: $0) })
      else { throw .redirected }
      guard address.isSameOrigin(location) else {
        throw address.isSameWithoutTLS(location) ? .overwriteHost : .redirected
      }
      request.url = location
    }
    throw .redirected
  }

  private func perform(_ request: HTTPRequest) throws(CarrierError) -> HTTPResponse {
    if cancellation.isCancelled() { throw .cancelled }
    let transfer = Transfer(
      sending: request.body ?? [], limit: request.limit, seconds: timeouts.total, cancellation)
    let context = unsafe Unmanaged.passUnretained(transfer).toOpaque()
    var headers: UnsafeMutablePointer<curl_slist>?
    for header in request.headers + ["Expect:"] { unsafe headers = curl_slist_append(headers, header) }
    defer { unsafe curl_slist_free_all(headers) }

    set(CURLOPT_URL, request.url)
    set(CURLOPT_UPLOAD, request.body == nil ? 0 : 1)
    if request.body == nil { set(CURLOPT_HTTPGET, 1) }
    set(CURLOPT_CUSTOMREQUEST, request.method)
    unsafe ccurl_set_size(handle, CURLOPT_INFILESIZE_LARGE, transfer.sending.count)
    unsafe ccurl_set_headers(handle, headers)
    for option in [CURLOPT_READDATA, CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_XFERINFODATA] {
      unsafe ccurl_set_context(handle, option, context)
    }
    unsafe ccurl_set_callback(handle, CURLOPT_READFUNCTION) { buffer, size, count, context in
      unsafe Transfer.of(context).send(UnsafeMutableRawBufferPointer(start: buffer, count: size * count))
    }
    unsafe ccurl_set_callback(handle, CURLOPT_WRITEFUNCTION) { buffer, size, count, context in
      unsafe Transfer.of(context).receive(UnsafeRawBufferPointer(start: buffer, count: size * count))
    }
    unsafe ccurl_set_callback(handle, CURLOPT_HEADERFUNCTION) { buffer, size, count, context in
      unsafe Transfer.of(context).header(UnsafeRawBufferPointer(start: buffer, count: size * count))
    }
    unsafe ccurl_set_progress(handle) { context, _, _, _, _ in
      unsafe Transfer.of(context).shouldEnd() ? 1 : 0
    }
    let code = withExtendedLifetime(transfer) { unsafe curl_easy_perform(handle) }
    guard code == CURLE_OK else { throw error(code, transfer) }
    let status = unsafe ccurl_number(handle, CURLINFO_RESPONSE_CODE)
    return HTTPResponse(status: status, body: transfer.received, head: transfer.head)
  }

  private func error(_ code: CURLcode, _ transfer: Transfer) -> CarrierError {
    if transfer.isTooLong { return .wrongServer }
    switch code {
    case CURLE_ABORTED_BY_CALLBACK: return transfer.isTooSlow ? .timedOut : .cancelled
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
      return Network.isConnected() ? .nameNotFound : .offline
    case CURLE_COULDNT_CONNECT:
      let number = unsafe Int32(clamping: ccurl_number(handle, CURLINFO_OS_ERRNO))
      return [ENETUNREACH, ENETDOWN].contains(number) ? .offline : .unreachable
    case CURLE_OPERATION_TIMEDOUT: return .timedOut
    case CURLE_PEER_FAILED_VERIFICATION:
      // X509_V_ERR_CERT_NOT_YET_VALID of OpenSSL
      return unsafe ccurl_number(handle, CURLINFO_SSL_VERIFYRESULT) == 9 ? .clockWrong : .certificate
    case CURLE_SSL_CACERT_BADFILE:
      // A file that can be read has no certificate.
      return unsafe .certificateFile(access(authorities ?? "", R_OK) == 0 ? EINVAL : errno)
    case CURLE_SSL_CONNECT_ERROR, CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL,
      CURLE_BAD_CONTENT_ENCODING:
      return .wrongServer
    default: return .interrupted
    }
  }

  private func set(_ option: CURLoption, _ value: Int) {
    unsafe ccurl_set_number(handle, option, value)
  }

  private func set(_ option: CURLoption, _ value: String) {
    unsafe ccurl_set_text(handle, option, value)
  }
}

/// One request and its response under way, as libcurl's callbacks see it.
final class Transfer {
  let sending: [UInt8]
  private var sent = 0
  private(set) var received: [UInt8] = []
  private(set) var head = ResponseHeader()
  /// Whether the response was longer than the limit.
  private(set) var isTooLong = false
  /// Whether the transfer was ended because it took too long.
  private(set) var isTooSlow = false
  private var headerBytes = 0
  private let limit: Int
  private let deadline: Deadline
  private let cancellation: any CancellationSource

  /// - Parameter seconds: how long it may take, besides what has moved at ``minimumRate``.
  init(sending: [UInt8], limit: Int, seconds: Int, _ cancellation: any CancellationSource) {
    (self.sending, self.limit, deadline) = (sending, limit, Deadline(seconds))
    self.cancellation = cancellation
    // A short response may be a secret, of which no copy should stay behind.
    if limit <= HTTPRequest.defaultLimit { received.reserveCapacity(limit) }
  }

  /// The transfer of a callback's context.
  static func of(_ context: UnsafeMutableRawPointer?) -> Transfer {
    guard let context = unsafe context else { preconditionFailure("each request sets the context") }
    return unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
  }

  /// In bytes a second.
  private static let minimumRate = 16_384

  /// Returns whether to end it: it takes too long, or was cancelled. Is asked at least once a second.
  func shouldEnd() -> Bool {
    isTooSlow = deadline.secondsPassed > (sent + received.count) / Self.minimumRate
    return isTooSlow || cancellation.isCancelled()
  }

  func send(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(buffer.count, sending.count - sent)
    unsafe buffer.copyBytes(from: sending[sent..<sent + count])
    sent += count
    return count
  }

  /// Takes a piece of the response. Returns another number than its length to end the transfer.
  func receive(_ piece: UnsafeRawBufferPointer) -> Int {
    // The page that explains an error may be longer than the file.
    let limit = (200..<300).contains(head.status) ? limit : max(limit, HTTPRequest.defaultLimit)
    isTooLong = piece.count > limit - received.count
    if isTooLong { return piece.count == 0 ? 1 : 0 }
    unsafe received.append(contentsOf: piece)
    return piece.count
  }

  /// Takes a line of the header; all of them together may have 64 KiB.
  func header(_ line: UnsafeRawBufferPointer) -> Int {
    headerBytes += line.count
    if headerBytes > 65_536 {
      isTooLong = true
      return 0
    }
    unsafe head.add(String(decoding: line, as: UTF8.self))
    return line.count
  }
}
