import CImaging
import ImagingFormats

extension Watermark {
  var style: ImagingStyle { ImagingStyle(opacity: opacity, angle: angle, size: size, spacing: spacing) }
}

/// A text converted to outlines; drawing it needs no fonts.
@safe final class Outlines {
  let text: OpaquePointer

  /// Shapes the text; needs the fonts, so call it before confining the process.
  ///
  /// - Throws: ``ImagingError/missingFont(characters:package:)``, ``ImagingError/textInvisible`` and
  ///   ``ImagingError/outOfMemory(_:)``.
  init(_ text: String) throws(ImagingError) {
    var missing: UnsafeMutablePointer<CChar>?
    guard let outlines = unsafe imaging_text_create(text, &missing) else {
      throw .outOfMemory("not enough memory for the text")
    }
    unsafe self.text = outlines
    if let missing = unsafe missing {
      let characters = unsafe String(cString: missing)
      unsafe imaging_free(missing)
      throw .missingFont(characters: characters, package: Self.package(for: characters))
    }
    guard unsafe imaging_text_is_visible(outlines) else { throw .textInvisible }
  }

  deinit {
    unsafe imaging_text_free(text)
  }

  /// Returns the Debian package of a font with the first of the characters.
  private static func package(for characters: String) -> String {
    guard let first = characters.unicodeScalars.first else { return "fonts-noto-core" }
    switch first.value {
    case 0x2E80...0x9FFF, 0xAC00...0xD7AF, 0xF900...0xFAFF, 0xFE30...0xFE4F, 0xFF00...0xFFEF:
      return "fonts-wqy-microhei"
    case 0x20000...0x3FFFF: return "fonts-noto-cjk"
    case 0x2190...0x2BFF, 0x1F000...0x1FAFF: return "fonts-symbola"
    default: return "fonts-noto-core"
    }
  }
}
