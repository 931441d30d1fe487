import Vault

/// Whether the client is to ask its user about binding this device (R22): once, after an unlock with the password.
final class BindingOffer {
  private(set) var isOffered = false
  private var isDue = false

  /// Makes the offer due.
  func didUnlockWithPassword() {
    isDue = true
  }

  /// Makes the offer if it is due and possible. The desktop's status may arrive only after the response to the unlock.
  func offerIfDue(for vault: CurrentVault, _ desktop: DesktopLink) async {
    guard isDue, vault.demo == nil, !vault.session.isLocked, await desktop.canOpenVaults
    else { return }
    isDue = false
    isOffered = vault.session.shouldOfferBinding()
  }

  func withdraw() {
    isOffered = false
  }
}
