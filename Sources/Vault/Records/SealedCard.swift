import VaultCrypto
import VaultInterface
package import VaultStore

/// A new card, sealed before the transaction that writes it.
package struct SealedCard {
  package let row: CardRow
  let element: RecordHash.Element
  let order: CardOrder
  let tags: [String]
}
