import JSON
import VaultModel

extension ImagingError: Refusal {
  var code: Int {
    switch self {
    case .missingWorker: 1510
    case .crashed: 1511
    case .timedOut: 1512
    case .notAnImage: 1513
    case .unsupportedType: 1514
    case .truncated: 1515
    case .damaged: 1516
    case .tooManyPixels: 1517
    case .encryptedDocument: 1518
    case .missingFont: 1519
    case .watermarkUnsupported: 1520
    case .stripUnsupported: 1521
    case .outOfMemory: 1522
    case .sandboxUnavailable: 1523
    case .failed: 1524
    }
  }

  var kind: String {
    switch self {
    case .missingWorker: "imaging.missingWorker"
    case .crashed: "imaging.crashed"
    case .timedOut: "imaging.timedOut"
    case .notAnImage: "imaging.notAnImage"
    case .unsupportedType: "imaging.unsupportedType"
    case .truncated: "imaging.truncated"
    case .damaged: "imaging.damaged"
    case .tooManyPixels: "imaging.tooManyPixels"
    case .encryptedDocument: "imaging.encryptedDocument"
    case .missingFont: "imaging.missingFont"
    case .watermarkUnsupported: "imaging.watermarkUnsupported"
    case .stripUnsupported: "imaging.stripUnsupported"
    case .outOfMemory: "imaging.outOfMemory"
    case .sandboxUnavailable: "imaging.sandboxUnavailable"
    case .failed: "imaging.failed"
    }
  }

  func details(in language: Language) -> [JSON.Member] {
    switch self {
    case .missingWorker(let program): [.init("program", .string(program))]
    case .unsupportedType(let detected): [.init("detected", .string(detected))]
    case .tooManyPixels(let maximum): [.init("maximum", .integer(maximum))]
    case .missingFont(let characters, let package):
      [.init("characters", .string(characters)), .init("package", .string(package))]
    default: []
    }
  }

  var words: Localized {
    switch self {
    case .missingWorker(let program):
      Localized(
        "The program \(program), which reads pictures, is not installed; \"make install\" of QuickVault puts it there.",
        "未安装读取图片的程序 \(program)；请用随取的“make install”安装。")
    case .crashed: Localized("The picture made the program that reads it fail.", "读取该图片的程序已崩溃。")
    case .timedOut: Localized("Reading the picture took too long.", "读取图片超时。")
    case .notAnImage:
      Localized("This is neither a JPEG, PNG or HEIC picture nor a PDF.", "这不是 JPEG、PNG、HEIC 图片或 PDF。")
    case .unsupportedType(let detected):
      Localized(
        "Pictures of the type \(detected) are not taken, only JPEG, PNG, HEIC and PDF.",
        "不支持 \(detected) 类型，仅支持 JPEG、PNG、HEIC 和 PDF。")
    case .truncated: Localized("The file is not whole: it ends too early.", "文件不完整：提前结束。")
    case .damaged: Localized("The file is damaged.", "文件已损坏。")
    case .tooManyPixels(let maximum):
      Localized(
        "The picture has more than \(maximum / 1_000_000) million pixels.", "图片超过 \(maximum / 10_000) 万像素。")
    case .encryptedDocument:
      Localized("The PDF asks for a password; save it without one first.", "该 PDF 需要密码；请先另存为无密码的文件。")
    case .missingFont(let characters, let package):
      Localized(
        "No font is installed that has \(characters.quoted); the package \(package) has one.",
        "未安装含有 \(characters.quoted) 的字体；软件包 \(package) 中有。")
    case .watermarkUnsupported:
      Localized(
        "A PDF cannot be marked: make a picture of it (attachment/thumbnail with size 4096) and attach that.",
        "PDF 无法添加水印：请先转为图片（attachment/thumbnail，size 为 4096）再添加。")
    case .stripUnsupported: Localized("The metadata of a PDF cannot be removed.", "无法移除 PDF 的元数据。")
    case .outOfMemory: Localized("There is not enough memory for this picture.", "内存不足，无法处理该图片。")
    case .sandboxUnavailable:
      Localized(
        "The system does not let the program that reads pictures be confined, so nothing was read.",
        "系统无法隔离读取图片的程序，因此未读取。")
    case .failed: Localized("The picture that was made is not what it should be.", "生成的图片不符合要求。")
    }
  }
}
