// swift-tools-version: 6.2
import PackageDescription

/// A warning ends a build for debugging. A release also builds with a later compiler that warns of more.
let warnings = SwiftSetting.treatAllWarnings(as: .error, .when(configuration: .debug))

/// Every target of the vault process: strict memory safety, explicit existentials, imports internal by default.
let strict: [SwiftSetting] = [
  warnings,
  .strictMemorySafety(),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// Tests call C and Foundation freely, so strict memory safety would only add noise there.
let tests: [SwiftSetting] = [
  warnings,
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// Optimized for debugging too: tests give these modules many thousands of inputs.
let optimized: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]
let optimizedC: [CSetting] = [.unsafeFlags(["-O2"], .when(configuration: .debug))]

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
    .executable(name: "qv", targets: ["qv"]),
    .executable(name: "quickvault-imaging", targets: ["quickvault-imaging"]),
    .executable(name: "quickvault-desktop", targets: ["quickvault-desktop"]),
    .executable(name: "quickvault-carrier", targets: ["quickvault-carrier"]),
  ],
  targets: [
    .systemLibrary(name: "CGcrypt"),
    .systemLibrary(name: "CSQLite"),
    .target(name: "CLinux"),
    .target(name: "CForget"),
    .target(name: "COpenRPC"),

    .target(name: "Identifiers", swiftSettings: strict),
    .target(name: "JSON", swiftSettings: strict + optimized),
    .target(name: "EventLoop", dependencies: ["CLinux"], swiftSettings: strict),
    .target(name: "JSONRPC", dependencies: ["JSON", "EventLoop", "CLinux"], swiftSettings: strict),
    .target(name: "CDemo", exclude: ["licence.png", "make_licence.py"]),
    .target(name: "CPinyin", exclude: ["LICENSE", "make_readings.py"], cSettings: optimizedC),
    .target(name: "CSearch", cSettings: optimizedC),
    .target(
      name: "VaultModel", dependencies: ["Identifiers", "JSON", "CPinyin", "CSearch"],
      swiftSettings: strict + optimized),
    .target(
      name: "VaultExchange", dependencies: ["VaultModel", "JSON", "Identifiers"],
      swiftSettings: strict + optimized),
    .target(
      name: "VaultProtocol", dependencies: ["VaultModel", "JSON", "JSONRPC", "VaultExchange", "Identifiers"],
      swiftSettings: strict),
    .target(
      name: "LanguageServer",
      dependencies: ["VaultProtocol", "VaultModel", "JSON", "JSONRPC", "Identifiers"],
      swiftSettings: strict),
    .target(name: "VaultCrypto", dependencies: ["Identifiers", "CGcrypt"], swiftSettings: strict),
    .target(name: "VaultStore", dependencies: ["Identifiers", "CSQLite"], swiftSettings: strict),
    .target(
      name: "VaultSession",
      dependencies: ["VaultModel", "VaultCrypto", "VaultStore", "Identifiers", "CLinux", "CDemo"],
      swiftSettings: strict),
    .target(
      name: "VaultMaintenance",
      dependencies: ["VaultSession", "VaultModel", "VaultCrypto", "VaultStore", "Identifiers"],
      swiftSettings: strict),
    .target(
      name: "VaultSync",
      dependencies: [
        "VaultMaintenance", "VaultSession", "VaultModel", "VaultCrypto", "VaultStore", "Identifiers",
      ],
      swiftSettings: strict),
    .target(name: "SharedService", dependencies: ["JSON", "EventLoop", "CLinux"], swiftSettings: strict),
    .target(
      name: "VaultServer",
      dependencies: [
        "LanguageServer", "SharedService", "JSON", "JSONRPC", "VaultProtocol", "VaultSync",
        "VaultMaintenance",
        "VaultSession", "VaultModel", "VaultExchange", "EventLoop", "Identifiers", "DesktopProtocol",
        "CarrierProtocol", "COpenRPC", "CLinux",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "quickvault",
      dependencies: ["VaultServer", "SharedService", "EventLoop", "VaultModel", "CLinux", "CForget"],
      swiftSettings: strict),

    .target(
      name: "VaultCommandLine",
      dependencies: [
        "SharedService", "VaultProtocol", "VaultModel", "JSONRPC", "JSON", "EventLoop", "Identifiers",
        "CLinux",
      ],
      swiftSettings: strict),
    .executableTarget(name: "qv", dependencies: ["VaultCommandLine"], swiftSettings: strict),

    .target(
      name: "CImaging", cSettings: [.unsafeFlags(imagingHeaders + ["-Wall", "-Wextra", "-O2"])],
      linkerSettings: [
        "vips", "gobject-2.0", "gmodule-2.0", "glib-2.0", "pangocairo-1.0", "pango-1.0", "cairo", "heif",
        "jpeg",
        "seccomp", "m",
      ].map { .linkedLibrary($0) }),
    .target(name: "DesktopProtocol", dependencies: ["JSON", "JSONRPC"], swiftSettings: strict),
    .target(name: "ImagingFormats", dependencies: ["JSON"], swiftSettings: strict),
    .executableTarget(
      name: "quickvault-imaging", dependencies: ["ImagingFormats", "CImaging", "JSON"], exclude: ["packages"],
      swiftSettings: strict),

    .target(
      name: "WorkerService", dependencies: ["JSON", "JSONRPC", "EventLoop", "CLinux"], swiftSettings: strict),
    .systemLibrary(name: "CSystemd"),
    .executableTarget(
      name: "quickvault-desktop",
      dependencies: [
        "DesktopProtocol", "WorkerService", "CSystemd", "JSON", "JSONRPC", "EventLoop", "CLinux",
      ],
      exclude: ["packages"],
      swiftSettings: strict),

    .systemLibrary(name: "CCurl"),
    .systemLibrary(name: "CExpat"),
    .target(name: "CarrierProtocol", dependencies: ["JSON", "JSONRPC"], swiftSettings: strict),
    .target(
      name: "WebCarrier",
      dependencies: ["CarrierProtocol", "Identifiers", "JSON", "CCurl", "CExpat", "CGcrypt", "CLinux"],
      swiftSettings: strict),
    .executableTarget(
      name: "quickvault-carrier",
      dependencies: [
        "WebCarrier", "CarrierProtocol", "WorkerService", "JSON", "JSONRPC", "EventLoop", "CLinux",
      ],
      exclude: ["packages"],
      swiftSettings: strict),

    .testTarget(name: "JSONTests", dependencies: ["JSON", "TestSamples"], swiftSettings: tests),
    .testTarget(name: "EventLoopTests", dependencies: ["EventLoop", "TestSupport"], swiftSettings: tests),
    .testTarget(
      name: "SharedServiceTests",
      dependencies: ["SharedService", "JSON", "EventLoop", "CLinux", "TestSupport"], swiftSettings: tests),
    .testTarget(
      name: "JSONRPCTests", dependencies: ["JSON", "JSONRPC", "EventLoop", "TestSamples", "TestSupport"],
      swiftSettings: tests),
    .testTarget(
      name: "DesktopProtocolTests", dependencies: ["DesktopProtocol", "JSON", "JSONRPC", "TestSupport"],
      swiftSettings: tests),
    .testTarget(
      name: "CarrierProtocolTests", dependencies: ["CarrierProtocol", "JSON", "JSONRPC", "TestSupport"],
      swiftSettings: tests),
    .testTarget(
      name: "WebCarrierTests", dependencies: ["WebCarrier", "CarrierProtocol"], swiftSettings: tests),
    .testTarget(
      name: "VaultModelTests", dependencies: ["VaultModel", "Identifiers", "TestSamples", "CSearch"],
      swiftSettings: tests + optimized),
    .testTarget(
      name: "VaultExchangeTests",
      dependencies: ["VaultExchange", "VaultModel", "JSON", "Identifiers", "TestSamples"],
      exclude: ["files"], swiftSettings: tests),
    .testTarget(
      name: "VaultProtocolTests", dependencies: ["VaultProtocol", "JSON"],
      swiftSettings: tests),
    .testTarget(
      name: "VaultCommandLineTests", dependencies: ["VaultCommandLine"], swiftSettings: tests),
    .testTarget(
      name: "LanguageServerTests", dependencies: ["LanguageServer", "JSON"], swiftSettings: tests),
    .testTarget(
      name: "VaultCryptoTests",
      dependencies: ["VaultCrypto", "Identifiers", "CGcrypt", "TestSamples", "TestVectors"],
      exclude: ["vectors"],
      swiftSettings: tests),
    .testTarget(
      name: "VaultStoreTests", dependencies: ["VaultStore", "Identifiers", "CSQLite"], swiftSettings: tests),
    .testTarget(
      name: "VaultSessionTests",
      dependencies: [
        "VaultMaintenance", "VaultSession", "VaultModel", "VaultCrypto", "VaultStore", "Identifiers",
        "CSQLite",
        "CLinux", "SessionSupport", "TestSupport", "TestSamples", "quickvault",
      ],
      swiftSettings: tests),
    .testTarget(
      name: "VaultMaintenanceTests",
      dependencies: [
        "VaultMaintenance", "VaultSession", "VaultModel", "VaultCrypto", "VaultStore", "Identifiers",
        "CSQLite",
        "SessionSupport", "TestSupport", "TestSamples",
      ],
      swiftSettings: tests),
    .testTarget(
      name: "VaultSyncTests",
      dependencies: [
        "VaultSync", "VaultMaintenance", "VaultSession", "VaultModel", "VaultCrypto", "VaultStore",
        "Identifiers", "SessionSupport", "TestSupport", "TestSamples", "TestVectors",
      ],
      swiftSettings: tests),
    .target(
      name: "SessionSupport", dependencies: ["VaultSession", "VaultModel", "CSQLite"],
      path: "Tests/SessionSupport", swiftSettings: tests),
    .testTarget(
      name: "VaultServerTests",
      dependencies: [
        "VaultServer", "CarrierProtocol", "DesktopProtocol", "JSON", "JSONRPC", "EventLoop", "Identifiers",
        "VaultSync", "VaultSession", "VaultModel",
        "VaultProtocol", "VaultExchange", "TestSupport",
        "quickvault", "quickvault-imaging",
      ],
      swiftSettings: tests),
    .testTarget(
      name: "ProgramTests",
      dependencies: [
        "TestSupport", "TestSamples", "quickvault", "quickvault-imaging", "sandbox-probe", "EventLoop",
        "CLinux",
      ],
      exclude: ["clients"],
      swiftSettings: tests),
    .executableTarget(name: "sandbox-probe", dependencies: ["CLinux"], path: "Tests/SandboxProbe"),
    .target(
      name: "TestSamples", dependencies: ["JSON", "JSONRPC"], path: "Tests/Samples", swiftSettings: strict),
    .target(
      name: "TestVectors", dependencies: ["VaultCrypto", "Identifiers"], path: "Tests/Vectors",
      swiftSettings: tests),
    .target(
      name: "TestSupport", dependencies: ["CLinux"], path: "Tests/Support",
      exclude: ["socket_client.py", "socket_crowd.py"],
      swiftSettings: tests),
  ]
)

// Programs that `swift build` leaves out, because few changes need them: `make test-more`, `make bench`, `make soak` and
// `make fuzz` build them.
let isFuzzing = Context.environment["QUICKVAULT_FUZZ"] != nil
let buildsMore = Context.environment["QUICKVAULT_MORE"] != nil

if buildsMore {
  package.targets += [
    // `make bench`: what the program costs, beside the floors under it and beside other programs.
    .target(
      name: "CFloors", path: "Tests/Benchmarks/CFloors",
      linkerSettings: [.linkedLibrary("gcrypt"), .linkedLibrary("sqlite3")]),
    .executableTarget(name: "frame-echo", path: "Tests/Benchmarks/FrameEcho"),
    .executableTarget(
      name: "quickvault-benchmark",
      dependencies: ["CFloors", "JSON", "JSONRPC", "TestSamples", "VaultModel"],
      path: "Tests/Benchmarks/Benchmark",
      swiftSettings: strict),
    .testTarget(
      name: "BenchmarkTests", dependencies: ["quickvault-benchmark", "TestSamples", "quickvault-imaging"],
      swiftSettings: tests),
    // `make soak`: ten years of many machines.
    .executableTarget(
      name: "sync-simulation",
      dependencies: [
        "VaultSync", "VaultMaintenance", "VaultSession", "VaultModel", "Identifiers", "TestSamples",
      ],
      path: "Tests/Soak/Simulation", swiftSettings: tests),
  ]
}

// What the fuzz targets ask of an input. `make fuzz` makes a program of each, which wants a driver and coverage in all that it
// links; without those, one program gives them the findings of earlier runs again.
let fuzzed = [
  "FuzzFraming": ["JSON", "JSONRPC"], "FuzzJSON": ["JSON", "JSONRPC"], "FuzzQuery": ["VaultModel"],
  "FuzzGreeting": ["SharedService"], "FuzzRecord": ["VaultModel"],
  "FuzzSyncFile": ["VaultSync"], "FuzzWebCarrier": ["WebCarrier"],
  "FuzzTemplate": ["VaultModel"], "FuzzImaging": ["ImagingFormats"],
  "FuzzVaultFile": ["FuzzSupport", "JSON", "JSONRPC"],
  "FuzzConversation": ["FuzzSupport", "JSON", "JSONRPC", "TestSamples", "CFuzz"],
  "FuzzTables": ["VaultExchange", "FuzzEntries"], "FuzzVCards": ["VaultExchange", "FuzzEntries"],
  "FuzzKeePass": ["VaultExchange", "FuzzEntries"],
  "FuzzImportJSON": ["VaultExchange", "FuzzEntries", "JSON", "JSONRPC"],
].sorted { $0.key < $1.key }
for (name, modules) in fuzzed where isFuzzing || buildsMore {
  let (dependencies, path) = (modules.map { Target.Dependency.target(name: $0) }, "Tests/Fuzz/\(name)")
  package.targets.append(
    isFuzzing
      ? .executableTarget(
        name: name, dependencies: dependencies, path: path,
        swiftSettings: tests + [.define("FUZZING"), .unsafeFlags(["-parse-as-library"])])
      // Changing inputs is the driver's.
      : .target(
        name: name, dependencies: dependencies, path: path,
        exclude: name == "FuzzConversation" ? ["Mutation.swift"] : [], swiftSettings: tests))
}
if isFuzzing || buildsMore {
  package.targets += [
    .target(
      name: "CFuzz", path: "Tests/Fuzz/CFuzz", cSettings: isFuzzing ? [.define("FUZZING")] : [],
      linkerSettings: [.linkedLibrary("gcrypt")]),
    .target(
      name: "FuzzSupport",
      dependencies: ["VaultServer", "VaultSession", "EventLoop", "JSON", "JSONRPC", "CFuzz"],
      path: "Tests/Fuzz/Support",
      swiftSettings: tests),
    .target(
      name: "FuzzEntries", dependencies: ["VaultExchange", "VaultModel"], path: "Tests/Fuzz/Entries",
      swiftSettings: tests),
  ]
}
if isFuzzing {
  // A program with a driver of its own cannot be linked into tests.
  package.targets.removeAll(where: \.isTest)
} else if buildsMore {
  package.targets += [
    .executableTarget(
      name: "fuzz-replay", dependencies: fuzzed.map { .target(name: $0.key) }, path: "Tests/Fuzz/Replay",
      swiftSettings: tests),
    .testTarget(
      name: "FuzzTests", dependencies: ["TestSupport", "quickvault", "fuzz-replay"], swiftSettings: tests),
  ]
}
