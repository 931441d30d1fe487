import Wire

/// A stream that is cut into pieces anywhere, and continued by another reader anywhere, has the same frames.
///
/// The first byte says how long the pieces are, the second after how many of them another reader takes over.
#if FUZZING
  @_cdecl("LLVMFuzzerTestOneInput")
#endif
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard bytes.count > 2 else { return 0 }
  let stream = Array(bytes.dropFirst(2))
  let whole = frames(of: stream, piece: stream.count, takeover: -1)
  let pieces = frames(of: stream, piece: Int(bytes[0] % 16) + 1, takeover: Int(bytes[1]))
  guard whole == pieces else { fatalError("the frames depend on how the stream is cut") }
  return 0
}

private func frames(of stream: [UInt8], piece: Int, takeover: Int) -> [Frame] {
  var reader = FrameReader()
  var frames: [Frame] = []
  var rest = stream[...]
  var step = 0
  do {
    while !rest.isEmpty {
      reader.append(rest.prefix(piece))
      rest = rest.dropFirst(piece)
      while let frame = try reader.next() { frames.append(frame) }
      if step == takeover {
        guard let streamState = StreamState(decoding: reader.streamState.encoded) else {
          fatalError("no streamState")
        }
        reader = FrameReader(resuming: streamState)
      }
      step += 1
    }
    reader.end()
    while let frame = try reader.next() { frames.append(frame) }
  } catch {
    return frames
  }
  return frames
}
