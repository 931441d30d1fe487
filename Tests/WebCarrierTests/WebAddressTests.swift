import Testing

@testable import WebCarrier

@Suite("Addresses of servers") struct WebAddressTests {
  @Test("An address is one of https, or of this machine")
  func addresses() {
    #expect(WebAddress("https://example.org")?.url("a/b") == "https://example.org:443/a/b")
    #expect(WebAddress("http://127.0.0.1:80/x/")?.path == "/x/")
    for text in [
      "http://example.org/", "http://127.0.0.1.example.org/", "https://a@example.org/",
      "https://example.org/?q",
      "https://example.org/#f", "file:///etc", "", "https://exa mple.org/",
    ] {
      #expect(WebAddress(text) == nil, "\(text)")
    }
    let address = WebAddress("https://example.org/x")
    #expect(address?.isSameOrigin("https://EXAMPLE.org:443/y") == true)
    for text in ["http://example.org/x", "https://example.org:444/x", "https://example.org.evil/x", "/x"] {
      #expect(address?.isSameOrigin(text) == false, "\(text)")
    }
  }

  @Test("A reference to another page stays at this origin, whatever origin it names")
  func references() {
    let address = WebAddress("https://example.org/x/")
    for (text, expected) in [
      ("?mk=7", "/x/y/?mk=7"), ("/z/?a=b", "/z/?a=b"), ("w", "/x/y/w"),
      ("http://inside:8080/x/y/?mk=7", "/x/y/?mk=7"),
    ] {
      #expect(address?.url(text, in: "https://example.org:443/x/y/") == "https://example.org:443" + expected)
    }
    #expect(address?.url("a b", in: "https://example.org/") == nil)
  }

  @Test("Servers that compare addresses get them without the usual port")
  func canonical() {
    let address = WebAddress("https://example.org/x/")
    #expect(address?.canonicalURL("a", isEncrypted: true) == "https://example.org/x/a")
    #expect(address?.canonicalURL("a", isEncrypted: false) == "http://example.org/x/a")
    let other = WebAddress("https://example.org:8443/x/")
    #expect(other?.canonicalURL("a", isEncrypted: false) == "http://example.org:8443/x/a")
  }

  @Test("A reference is decoded to its components, and refused where it is not well formed")
  func components() {
    #expect(WebAddress.components(of: "/a%20b/%E4%BF%9D//c") == ["a b", "保", "c"])
    #expect(WebAddress.components(of: "https://example.org/a%2Fb/") == ["a/b"])
    for text in ["/%", "/%4", "/%zz", "/%+5", "/%-0", "/%ff", "a"] {
      #expect(WebAddress.components(of: text) == nil, "\(text)")
    }
  }
}
