import Testing

@testable import WebCarrier

@Suite("Headers of responses") struct ResponseHeaderTests {
  private func header(_ lines: String...) -> ResponseHeader {
    var header = ResponseHeader()
    for line in ["HTTP/1.1 503 Service Unavailable"] + lines { header.add(line + "\r\n") }
    return header
  }

  @Test(
    "Retry-After is a number of seconds, or a date by the server's clock",
    arguments: [
      ("120", 120), ("0", 0), ("soon", nil), ("-5", nil), ("99999999999999999999", nil),
      ("Mon, 30 Nov 2026 21:10:00 GMT", 600), ("Monday, 30-Nov-26 21:10:00 GMT", 600),
      ("Mon, 30 Nov 2026 20:00:00 GMT", 0),
    ] as [(String, Int?)])
  func retryAfter(text: String, seconds: Int?) {
    let found = header("Date: Mon, 30 Nov 2026 21:00:00 GMT", "retry-after: \(text)").retryAfter
    #expect(found == seconds)
  }

  @Test("The next page of a list is found among links")
  func links() {
    #expect(header("Link: <https://example.org/?mk=1>; rel=\"next\"").next == "https://example.org/?mk=1")
    #expect(header("Link: </a>; rel=prev, </b,c>; title=x; rel=next").next == "/b,c")
    #expect(header("Link: </a>; rel=\"prev\"", "link: </b>;rel=next").next == "/b")
    for line in [
      "Link: </a>; rel=\"prev\"", "Link: /a; rel=next", "Link: <", "Link: </a>", "X: <a>; rel=next",
    ] {
      #expect(header(line).next == nil, "\(line)")
    }
  }

  @Test("A server that takes only Digest is recognized")
  func digest() {
    #expect(header("WWW-Authenticate: Digest realm=\"a\", nonce=\"b\"").takesOnlyDigest)
    #expect(
      !header("WWW-Authenticate: Digest realm=\"a\"", "WWW-Authenticate: Basic realm=\"a\"").takesOnlyDigest)
    #expect(!header("WWW-Authenticate: Basic realm=\"a\"").takesOnlyDigest)
    #expect(!header().takesOnlyDigest)
  }

  @Test("A later status line begins a new header")
  func interim() {
    var header = header("Retry-After: 5")
    header.add("HTTP/2 207\r\n")
    #expect(header.status == 207 && header.retryAfter == nil)
  }
}
