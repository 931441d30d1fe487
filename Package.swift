// swift-tools-version: 6.2
import PackageDescription

/// Every target of the vault process: strict memory safety, explicit existentials, imports internal by default.
let house: [SwiftSetting] = [
  .strictMemorySafety(),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// Tests call C and Foundation freely, so strict memory safety would only add noise there.
let tests: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// Where Debian keeps the headers of the libraries that the imaging worker uses. System library targets would find them by
/// pkg-config, but then every build of `quickvault` warns where those packages are not installed.
let imagingHeaders =
  [
    "glib-2.0", "pango-1.0", "harfbuzz", "cairo", "freetype2", "x86_64-linux-gnu", "aarch64-linux-gnu",
  ].map { "-I/usr/include/\($0)" }
  + ["x86_64", "aarch64"].map { "-I/usr/lib/\($0)-linux-gnu/glib-2.0/include" }

let package = Package(
  name: "QuickVault",
  products: [
    .executable(name: "quickvault", targets: ["quickvault"]),
    .executable(name: "quickvault-imaging", targets: ["quickvault-imaging"]),
    .executable(name: "quickvault-desktop", targets: ["quickvault-desktop"]),
  ],
  targets: [
    .systemLibrary(name: "CGcrypt"),
    .systemLibrary(name: "CSQLite"),
    .target(name: "CLinux"),
    .target(name: "CForget"),
    .target(name: "COpenRPC"),

    .target(name: "JSONRPC", dependencies: ["CLinux"], swiftSettings: house),
    .target(name: "CDemo", exclude: ["licence.png", "make_licence.py"]),
    .target(name: "CPinyin", exclude: ["LICENSE", "make_readings.py"]),
    .target(name: "CSearch"),
    .target(name: "VaultModel", dependencies: ["CPinyin", "CSearch"], swiftSettings: house),
    .target(name: "VaultExchange", dependencies: ["VaultModel", "JSONRPC"], swiftSettings: house),
    .target(
      name: "VaultProtocol", dependencies: ["VaultModel", "JSONRPC", "VaultExchange"], swiftSettings: house),
    .target(name: "VaultCrypto", dependencies: ["CGcrypt"], swiftSettings: house),
    .target(name: "VaultStore", dependencies: ["CSQLite"], swiftSettings: house),
    .target(
      name: "VaultSession", dependencies: ["VaultModel", "VaultCrypto", "VaultStore", "CLinux", "CDemo"],
      swiftSettings: house),
    .target(
      name: "VaultServer",
      dependencies: [
        "JSONRPC", "VaultProtocol", "VaultSession", "VaultModel", "VaultExchange", "COpenRPC", "CLinux",
      ],
      swiftSettings: house),
    .executableTarget(
      name: "quickvault", dependencies: ["VaultServer", "VaultModel", "CLinux", "CForget"],
      swiftSettings: house),

    // `make bench`: what the program costs, beside the floors under it and beside other programs.
    .target(
      name: "CFloors", path: "Tests/Benchmarks/CFloors",
      linkerSettings: [.linkedLibrary("gcrypt"), .linkedLibrary("sqlite3")]),
    .executableTarget(name: "frame-echo", path: "Tests/Benchmarks/FrameEcho"),
    .executableTarget(
      name: "quickvault-benchmark", dependencies: ["CFloors", "JSONRPC", "TestSamples", "VaultModel"],
      path: "Tests/Benchmarks/Benchmark",
      swiftSettings: house),

    .target(
      name: "CImaging", cSettings: [.unsafeFlags(imagingHeaders + ["-Wall", "-Wextra", "-O2"])],
      linkerSettings: [
        "vips", "gobject-2.0", "gmodule-2.0", "glib-2.0", "pangocairo-1.0", "pango-1.0", "cairo", "heif",
        "jpeg",
        "seccomp", "m",
      ].map { .linkedLibrary($0) }),
    .executableTarget(
      name: "quickvault-imaging", dependencies: ["CImaging", "JSONRPC"], exclude: ["packages"],
      swiftSettings: house),

    .systemLibrary(name: "CSystemd"),
    .executableTarget(
      name: "quickvault-desktop", dependencies: ["CSystemd", "JSONRPC", "CLinux"], exclude: ["packages"],
      swiftSettings: house),

    .testTarget(
      name: "JSONRPCTests", dependencies: ["JSONRPC", "TestSamples", "TestSupport"], swiftSettings: tests),
    .testTarget(
      name: "VaultModelTests", dependencies: ["VaultModel", "TestSamples", "CSearch"], swiftSettings: tests),
    .testTarget(
      name: "VaultExchangeTests", dependencies: ["VaultExchange", "VaultModel", "JSONRPC", "TestSamples"],
      exclude: ["files"], swiftSettings: tests),
    .testTarget(
      name: "VaultCryptoTests", dependencies: ["VaultCrypto", "CGcrypt", "TestSamples"], exclude: ["vectors"],
      swiftSettings: tests),
    .testTarget(name: "VaultStoreTests", dependencies: ["VaultStore", "CSQLite"], swiftSettings: tests),
    .testTarget(
      name: "VaultSessionTests",
      dependencies: [
        "VaultSession", "VaultModel", "VaultCrypto", "VaultStore", "CSQLite", "CLinux", "TestSupport",
        "TestSamples", "quickvault",
      ],
      swiftSettings: tests),
    .testTarget(
      name: "VaultServerTests",
      dependencies: [
        "VaultServer", "JSONRPC", "VaultSession", "VaultModel", "VaultProtocol", "VaultExchange",
        "TestSupport",
        "quickvault", "quickvault-imaging",
      ],
      swiftSettings: tests),
    .testTarget(
      name: "ProgramTests",
      dependencies: [
        "TestSupport", "TestSamples", "quickvault", "quickvault-imaging", "fuzz-replay", "CLinux",
      ],
      exclude: ["clients"],
      swiftSettings: tests),
    .target(name: "TestSamples", dependencies: ["JSONRPC"], path: "Tests/Samples", swiftSettings: house),
    .target(name: "TestSupport", dependencies: ["CLinux"], path: "Tests/Support", swiftSettings: tests),
    .testTarget(
      name: "BenchmarkTests", dependencies: ["quickvault-benchmark", "TestSamples", "quickvault-imaging"],
      swiftSettings: tests),
  ]
)

// What the fuzz targets ask of an input. `make fuzz` makes a program of each, which wants a driver and coverage in all that it
// links; without those, one program gives them the findings of earlier runs again.
let isFuzzing = Context.environment["QUICKVAULT_FUZZ"] != nil
let fuzzed = [
  "FuzzFraming": ["JSONRPC"], "FuzzJSON": ["JSONRPC"], "FuzzQuery": ["VaultModel"],
  "FuzzRecord": ["VaultModel"],
  "FuzzTemplate": ["VaultModel"], "FuzzImaging": ["CImaging", "JSONRPC"],
  "FuzzVaultFile": ["FuzzSupport", "JSONRPC"],
  "FuzzConversation": ["FuzzSupport", "JSONRPC", "TestSamples", "CFuzz"],
  "FuzzTables": ["VaultExchange", "FuzzEntries"], "FuzzVCards": ["VaultExchange", "FuzzEntries"],
  "FuzzKeePass": ["VaultExchange", "FuzzEntries"],
  "FuzzImportJSON": ["VaultExchange", "FuzzEntries", "JSONRPC"],
].sorted { $0.key < $1.key }
for (name, rooms) in fuzzed {
  let (rooms, path) = (rooms.map { Target.Dependency.target(name: $0) }, "Tests/Fuzz/\(name)")
  package.targets.append(
    isFuzzing
      ? .executableTarget(
        name: name, dependencies: rooms, path: path,
        swiftSettings: tests + [.define("FUZZING"), .unsafeFlags(["-parse-as-library"])])
      // Changing inputs is the driver's.
      : .target(
        name: name, dependencies: rooms, path: path,
        exclude: name == "FuzzConversation" ? ["Mutation.swift"] : [], swiftSettings: tests))
}
package.targets += [
  .target(
    name: "CFuzz", path: "Tests/Fuzz/CFuzz", cSettings: isFuzzing ? [.define("FUZZING")] : [],
    linkerSettings: [.linkedLibrary("gcrypt")]),
  .target(
    name: "FuzzSupport", dependencies: ["VaultServer", "VaultSession", "JSONRPC", "CFuzz"],
    path: "Tests/Fuzz/Support",
    swiftSettings: tests),
  .target(
    name: "FuzzEntries", dependencies: ["VaultExchange", "VaultModel"], path: "Tests/Fuzz/Entries",
    swiftSettings: tests),
]
if !isFuzzing {
  package.targets.append(
    .executableTarget(
      name: "fuzz-replay", dependencies: fuzzed.map { .target(name: $0.key) }, path: "Tests/Fuzz/Replay",
      swiftSettings: tests))
}
