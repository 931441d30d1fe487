import Testing
import WebCarrier

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

  @Test("A reference is decoded to its components, and refused where it is not well formed")
  func components() {
    #expect(WebAddress.components(of: "/a%20b/%E4%BF%9D//c") == ["a b", "保", "c"])
    #expect(WebAddress.components(of: "https://example.org/a%2Fb/") == ["a/b"])
    for text in ["/%", "/%4", "/%zz", "/%+5", "/%-0", "/%ff", "a"] {
      #expect(WebAddress.components(of: text) == nil, "\(text)")
    }
  }
}
