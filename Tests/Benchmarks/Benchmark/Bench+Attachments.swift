import CFloors
import VaultInterface
import Wire

extension Bench {
  /// The size of the largest attachment, in bytes.
  private static let largest = 10 << 20
  /// Few rounds: an attachment takes long and varies little.
  private var heavy: Effort {
    Effort(leastRounds: min(effort.leastRounds, 5), mostRounds: 9, budget: effort.budget)
  }

  /// Measures attachments with their floor, and pictures with ImageMagick. Adds a note if the imaging helper or
  /// ImageMagick is missing.
  func measureAttachments() throws {
    try withUnlocked { client in
      guard try client.methods().contains("attachment/add") else { return }
      let card = try client.ask(
        "card/create", ["title": "Papers", "group": "personal", "type": "text", "fields": ["text": "x"]])
      guard let id = card["card"]?["id"] else { throw BenchmarkError.wrong("a card without an id") }
      do {
        try self.measureContents(of: id, client)
      } catch BenchmarkError.refused(let answer) where answer.contains("\"imaging.missingWorker\"") {
        self.results.notes.append("not measured: attachments (quickvault-imaging is not beside the server)")
        return
      }
      try self.measurePictures(of: id, client)
    }
  }

  // MARK: Contents

  private func measureContents(of card: JSON, _ client: Client) throws {
    let picture = NoisePicture(bytes: Self.largest).bytes
    let (path, exported) = ("\(directory)/noise.png", "\(directory)/exported.png")
    try Files.write(picture, to: path)
    let data = unsafe Base64.encode(picture.span.bytes)
    let byPath: JSON = ["cardId": card, "path": .string(path)]
    let byData: JSON = ["cardId": card, "data": .string(data), "name": "noise.png"]

    try unsafe picture.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress,
        let floor = unsafe floor_content_make("\(directory)/content.sqlite", base, bytes.count)
      else { throw BenchmarkError.floor("making a table for a content") }
      defer { unsafe floor_content_free(floor) }
      let summaries = try heavy.measure {
        let floor = try checked(.content, unsafe floor_content_store(floor))
        let added = try attach(byPath, client)
        let export = try client.time(
          "attachment/export", ["id": added.id, "path": .string(exported), "overwrite": true])
        _ = try client.ask("attachment/delete", ["id": added.id])
        let again = try attach(byData, client)
        let got = try client.exchange(client.request("attachment/get", ["id": again.id]))
        _ = try client.ask("attachment/delete", ["id": again.id])
        guard (try? JSONReader.read(got.body))?["result"]?["data"]?.string == data else {
          throw BenchmarkError.wrong("the attachment came back otherwise")
        }
        return [added.nanoseconds, export, again.nanoseconds, got.nanoseconds, floor]
      }
      for (work, summary) in zip([Work.attachPath, .exportPath, .attachData, .getData], summaries) {
        results.add(work, count, summary, floor: (.content, summaries[4]))
      }
      results.add(.memoryAttached, count, Summary(once: try Memory(of: client.process).peak))
    }
    guard try Files.bytes(exported) == picture else {
      throw BenchmarkError.wrong("the attachment was exported otherwise")
    }
  }

  private func attach(_ parameters: JSON, _ client: Client) throws -> (nanoseconds: Int64, id: JSON) {
    let exchange = try client.exchange(client.request("attachment/add", parameters))
    guard let id = (try? JSONReader.read(exchange.body))?["result"]?["attachment"]?["id"] else {
      throw BenchmarkError.refused(answer: String(decoding: exchange.body.prefix(500), as: UTF8.self))
    }
    return (exchange.nanoseconds, id)
  }

  // MARK: Pictures

  private func measurePictures(of card: JSON, _ client: Client) throws {
    guard ImageMagick.version != nil else {
      results.notes.append(
        "not measured: watermark and thumbnail (ImageMagick, which makes the photograph, is not installed)")
      return
    }
    let other = ImageMagick(directory: directory)
    let path = try other.makePhotograph()
    let id = try attach(["cardId": card, "path": .string(path)], client).id
    let summaries = try heavy.measure {
      let marking = try client.time(
        "attachment/setWatermark", ["id": id, "text": .string(ImageMagick.text)])
      // Taken off again, so that neither the next mark nor the thumbnail is one that was kept. That weakens the vault, and
      // on a busy machine more than a minute may have passed since it was unlocked.
      try unlock(client)
      _ = try client.ask("attachment/setWatermark", ["id": id, "text": nil])
      let thumbnail = try client.time("attachment/thumbnail", ["id": id])
      return [marking, thumbnail, try other.mark(), try other.thumbnail()]
    }
    results.add(.marking, count, summaries[0])
    results.add(.thumbnail, count, summaries[1])
    results.add(.imageMagick, .marking, count, summaries[2])
    results.add(.imageMagick, .thumbnail, count, summaries[3])
    results.notes.append(
      "the photograph has 4,000 × 3,000 pixels and \(Quantity.bytes(Double(Files.size(path))))")
  }
}
