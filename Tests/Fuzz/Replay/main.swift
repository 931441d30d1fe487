// Gives a fuzz target one input again, without a fuzzer:
//
//     fuzz-replay TARGET FILE
//
// It ends with 0 where the target finds nothing wrong, and by a signal where it does or takes longer than ten minutes.
import Foundation
import FuzzAddresses
import FuzzConversation
import FuzzForm
import FuzzFraming
import FuzzGreeting
import FuzzImaging
import FuzzImportJSON
import FuzzJSON
import FuzzKeePass
import FuzzQuery
import FuzzRecord
import FuzzSyncFile
import FuzzTables
import FuzzTemplate
import FuzzVCards
import FuzzVaultFile
import FuzzWebCarrier

let targets: [String: (UnsafePointer<UInt8>, Int) -> CInt] = [
  "FuzzAddresses": FuzzAddresses.fuzz, "FuzzConversation": FuzzConversation.fuzz,
  "FuzzForm": FuzzForm.fuzz, "FuzzFraming": FuzzFraming.fuzz, "FuzzGreeting": FuzzGreeting.fuzz,
  "FuzzImaging": FuzzImaging.fuzz, "FuzzImportJSON": FuzzImportJSON.fuzz, "FuzzJSON": FuzzJSON.fuzz,
  "FuzzKeePass": FuzzKeePass.fuzz, "FuzzQuery": FuzzQuery.fuzz, "FuzzRecord": FuzzRecord.fuzz,
  "FuzzSyncFile": FuzzSyncFile.fuzz, "FuzzTables": FuzzTables.fuzz,
  "FuzzTemplate": FuzzTemplate.fuzz, "FuzzVCards": FuzzVCards.fuzz,
  "FuzzVaultFile": FuzzVaultFile.fuzz, "FuzzWebCarrier": FuzzWebCarrier.fuzz,
]

let arguments = CommandLine.arguments
guard arguments.count == 3, let target = targets[arguments[1]],
  let input = FileManager.default.contents(atPath: arguments[2])
else {
  FileHandle.standardError.write(Data("fuzz-replay: TARGET FILE\n".utf8))
  exit(64)
}
alarm(600)
// No target may look at what is behind the input, which is an array's end here.
let status = Array(input).withUnsafeBufferPointer { bytes in
  bytes.baseAddress.map { target($0, bytes.count) } ?? 0
}
exit(status)
