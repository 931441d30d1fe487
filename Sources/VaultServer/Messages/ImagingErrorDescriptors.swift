import JSON
import VaultModel

extension ImagingError: ApplicationError {
  var descriptor: ErrorDescriptor {
    switch self {
    case .missingWorker(let program):
      .init(
        1510, "imaging.missingWorker",
        "The program \(program), which reads pictures, is not installed; install it with \"make install\" of QuickVault.",
        "未安装读取图片的程序 \(program)；请在随取的源码目录中运行 make install。", ["program": .string(program)])
    case .crashed:
      .init(
        1511, "imaging.crashed", "The program that reads pictures crashed on this picture.",
        "读取图片的程序在处理该图片时崩溃。")
    case .timedOut: .init(1512, "imaging.timedOut", "Reading the picture took too long.", "读取图片超时。")
    case .notAnImage:
      .init(
        1513, "imaging.notAnImage", "This is neither a JPEG, PNG or HEIC picture nor a PDF.",
        "该文件不是 JPEG、PNG、HEIC 图片，也不是 PDF。")
    case .unsupportedType(let detected):
      .init(
        1514, "imaging.unsupportedType",
        "\(detected) is not supported. Use JPEG, PNG, HEIC or PDF.",
        "不支持 \(detected) 类型，仅支持 JPEG、PNG、HEIC 和 PDF。", ["detected": .string(detected)])
    case .truncated:
      .init(1515, "imaging.truncated", "The file is incomplete: it ends too early.", "文件不完整，内容提前结束。")
    case .damaged: .init(1516, "imaging.damaged", "The file is damaged.", "文件已损坏。")
    case .tooManyPixels(let maximum):
      .init(
        1517, "imaging.tooManyPixels",
        "The picture has more than \(maximum / 1_000_000) million pixels.", "图片超过 \(maximum / 10_000) 万像素。",
        ["maximum": .integer(maximum)])
    case .encryptedDocument:
      .init(
        1518, "imaging.encryptedDocument", "The PDF requires a password; save it without one first.",
        "该 PDF 需要密码；请先另存为无密码的文件。")
    case .missingFont(let characters, let package):
      .init(
        1519, "imaging.missingFont",
        "No installed font contains \(characters.quoted); install the package \(package).",
        "已安装的字体中没有字符\(characters.quotedInChinese)；请安装软件包 \(package)。",
        ["characters": .string(characters), "package": .string(package)])
    case .watermarkUnsupported:
      .init(
        1520, "imaging.watermarkUnsupported",
        "A PDF cannot have a watermark: make a picture of it and attach that.",
        "无法给 PDF 添加水印：请先转为图片再添加。")
    case .stripUnsupported:
      .init(1521, "imaging.stripUnsupported", "The metadata of a PDF cannot be removed.", "无法移除 PDF 的元数据。")
    case .outOfMemory:
      .init(1522, "imaging.outOfMemory", "There is not enough memory for this picture.", "内存不足，无法处理该图片。")
    case .sandboxUnavailable:
      .init(
        1523, "imaging.sandboxUnavailable",
        "The system cannot confine the program that reads pictures, so the picture was not read.",
        "系统不支持隔离读取图片的程序，因此未读取该图片。")
    case .failed:
      .init(1524, "imaging.failed", "The generated picture is invalid.", "生成的图片不符合要求。")
    }
  }
}
