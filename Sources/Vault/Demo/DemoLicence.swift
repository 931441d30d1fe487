import CResources
import VaultInterface

/// The attachment of the demo vault: a fictitious business licence.
enum DemoLicence {
  /// The watermark that states the purpose (R6).
  private static let watermark = Watermark(text: "仅供演示使用 For the demo only")

  /// The picture, to be attached. Nobody needs to look at it first: it is the program's own.
  ///
  /// - Parameter isWatermarked: whether it has a watermark, without which it can be shown where nothing can draw one.
  /// - Throws: ``VaultError/unavailable(_:)``.
  static func draft(isWatermarked: Bool) throws -> AttachmentDraft {
    let bytes = unsafe UnsafeRawBufferPointer(
      start: quickvault_demo_licence(), count: quickvault_demo_licence_count())
    guard let content = PrivateBytes(capacity: bytes.count) else {
      throw VaultError.unavailable(.outOfMemory)
    }
    unsafe content.append(bytes.bytes)
    return AttachmentDraft(
      name: "营业执照 · Business licence.png", mediaType: .png, width: 600, height: 400,
      watermark: isWatermarked ? watermark : nil, content: content)
  }
}
