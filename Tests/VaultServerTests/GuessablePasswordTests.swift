import Testing
import VaultInterface

@testable import Service

@Suite struct GuessablePasswordTests {
  private func codes(_ password: String) -> [VaultInterface.Issue.Code] {
    GuessablePassword.warnings(about: password).map(\.code)
  }

  @Test(
    "R11 One character repeated", arguments: ["aaaaaaaa", "00000000000", "密密密密密密密密", "AaAaAaAa", "ＡaAａAaAa"])
  func repeated(_ password: String) {
    #expect(codes(password) == [.repeatedCharacter])
  }

  @Test(
    "R11 A plain sequence, forwards or backwards",
    arguments: [
      "12345678", "87654321", "1234567890", "0987654321", "678901234567", "abcdefgh", "HGFEDCBA",
      "qwertyuiop", "poiuytrewq", "wertyuio", "asdfghjkl", "１２３４５６７８",
    ])
  func sequence(_ password: String) {
    #expect(codes(password) == [.sequence])
  }

  @Test(
    "R11 A common password, in any case and width",
    arguments: ["password", "Password", "iloveyou", "1qaz2wsx", "trustno1", "ｐａｓｓｗｏｒｄ", "insomnia"])
  func common(_ password: String) {
    #expect(codes(password) == [.common])
  }

  @Test(
    "R11 Other passwords are not remarked on",
    arguments: [
      "correct horse battery", "三月的雨 and 42 umbrellas", "password of mine", "abcdefgz", "13579246",
      "aaaaaaab",
      "qwertyuiopq", "abcabcabd",
    ])
  func good(_ password: String) {
    #expect(codes(password).isEmpty)
  }

  @Test("R11 The warning is in both languages and does not repeat the password")
  func messages() {
    for password in ["iloveyou", "aaaaaaaa", "12345678"] {
      for warning in GuessablePassword.warnings(about: password) {
        #expect(warning.field == "password" && !warning.message.english.contains(password))
        #expect(warning.message.simplifiedChinese.unicodeScalars.contains { $0.properties.isIdeographic })
      }
    }
  }
}
