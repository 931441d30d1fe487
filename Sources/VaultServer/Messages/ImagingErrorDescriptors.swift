import JSON
import VaultModel

extension ImagingError: ApplicationError {
  var descriptor: ErrorDescriptor {
    switch self {
    case .missingWorker(let program):
      .init(
        1510, "imaging.missingWorker",
        "The program \(program), which reads pictures, is not installed; \"make install\" of QuickVault puts it there.",
        "未安装读取图片的程序 \(program)；请用随取的“make install”安装。", ["program": .string(program)])
    case .crashed:
      .init(1511, "imaging.crashed", "The picture made the program that reads it fail.", "读取该图片的程序已崩溃。")
    case .timedOut: .init(1512, "imaging.timedOut", "Reading the picture took too long.", "读取图片超时。")
    case .notAnImage:
      .init(
        1513, "imaging.notAnImage", "This is neither a JPEG, PNG or HEIC picture nor a PDF.",
        "这不是 JPEG、PNG、HEIC 图片或 PDF。")
    case .unsupportedType(let detected):
      .init(
        1514, "imaging.unsupportedType",
        "Pictures of the type \(detected) are not taken, only JPEG, PNG, HEIC and PDF.",
        "不支持 \(detected) 类型，仅支持 JPEG、PNG、HEIC 和 PDF。", ["detected": .string(detected)])
    case .truncated:
      .init(1515, "imaging.truncated", "The file is not whole: it ends too early.", "文件不完整：提前结束。")
    case .damaged: .init(1516, "imaging.damaged", "The file is damaged.", "文件已损坏。")
    case .tooManyPixels(let maximum):
      .init(
        1517, "imaging.tooManyPixels",
        "The picture has more than \(maximum / 1_000_000) million pixels.", "图片超过 \(maximum / 10_000) 万像素。",
        ["maximum": .integer(maximum)])
    case .encryptedDocument:
      .init(
        1518, "imaging.encryptedDocument", "The PDF asks for a password; save it without one first.",
        "该 PDF 需要密码；请先另存为无密码的文件。")
    case .missingFont(let characters, let package):
      .init(
        1519, "imaging.missingFont",
        "No font is installed that has \(characters.quoted); the package \(package) has one.",
        "未安装含有 \(characters.quoted) 的字体；软件包 \(package) 中有。",
        ["characters": .string(characters), "package": .string(package)])
    case .watermarkUnsupported:
      .init(
        1520, "imaging.watermarkUnsupported",
        "A PDF cannot be marked: make a picture of it (attachment/thumbnail with size 4096) and attach that.",
        "PDF 无法添加水印：请先转为图片（attachment/thumbnail，size 为 4096）再添加。")
    case .stripUnsupported:
      .init(1521, "imaging.stripUnsupported", "The metadata of a PDF cannot be removed.", "无法移除 PDF 的元数据。")
    case .outOfMemory:
      .init(1522, "imaging.outOfMemory", "There is not enough memory for this picture.", "内存不足，无法处理该图片。")
    case .sandboxUnavailable:
      .init(
        1523, "imaging.sandboxUnavailable",
        "The system does not let the program that reads pictures be confined, so nothing was read.",
        "系统无法隔离读取图片的程序，因此未读取。")
    case .failed:
      .init(1524, "imaging.failed", "The picture that was made is not what it should be.", "生成的图片不符合要求。")
    }
  }
}
