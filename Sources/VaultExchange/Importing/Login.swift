import VaultInterface

/// A login, as password managers store it.
struct Login {
  var title = ""
  var userName = ""
  var password = ""
  var websites: [String] = []
  var oneTimePassword = ""
  var notes = ""
  /// Whether the user name is concealed too.
  var concealsUserName = false
  var others: [ExtraField] = []
  var tags: [String] = []
  var isFavourite = false

  /// The text card of the login: its notes are the text, else what tells most; each part besides is a field, and what is
  /// secret is concealed.
  func cardBuilder(group: CardGroup, language: Language) -> CardBuilder {
    var card = CardBuilder(.text, group: group, language: language)
    let website = websites.first { !$0.isBlank }
    let visibleName = concealsUserName ? nil : userName
    card.setTitle(title, website, visibleName)
    let text = [notes, website ?? "", visibleName ?? "", card.draft.title].first { !$0.isBlank }
    card.set("text", text)
    card.addExtra(ImportMessages.userName[language], userName, concealed: concealsUserName)
    card.addExtra(ImportMessages.password[language], password, concealed: true)
    for website in websites where !website.isBlank {
      card.addExtra(ImportMessages.website[language], website)
    }
    card.addExtra(ImportMessages.oneTimePassword[language], oneTimePassword, concealed: true)
    for field in others { card.addExtra(field.label, field.value, concealed: field.concealed) }
    for tag in tags { card.addTag(tag) }
    if isFavourite { card.pin() }
    return card
  }
}
