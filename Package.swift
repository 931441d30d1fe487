// swift-tools-version: 6.2
import PackageDescription

/// A warning ends a build by the compiler that the sources are checked with. A later one warns of more.
#if compiler(<6.4)
  let warnings: [SwiftSetting] = [.treatAllWarnings(as: .error)]
#else
  let warnings: [SwiftSetting] = []
#endif

/// Every target of the vault process: strict memory safety, explicit existentials, imports internal by default.
let strict =
  warnings + [
    .strictMemorySafety(),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
  ]

/// Tests call C and Foundation freely, so strict memory safety would only add noise there.
let tests =
  warnings + [
    .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
    .unsafeFlags(["-Onone"], .when(configuration: .release)),
  ]

/// A released program holds the Swift runtime, so that it runs where Swift is not installed. The tests need the one that their
/// library uses. The last setting wins: that of the first dependency of WebCarrierTests, since a link visits the test targets by
/// their names backwards, and each one's dependencies backwards. So that target depends on the programs that others need.
let standalone: [LinkerSetting] = [
  // No program loads a library that calls it: the names of 23,000 functions would be a tenth of its file.
  .unsafeFlags(["-static-stdlib", "-Xlinker", "--no-export-dynamic"], .when(configuration: .release))
]
let installedRuntime: [LinkerSetting] = [.unsafeFlags(["-no-static-stdlib"], .when(configuration: .release))]

/// Optimized for debugging too, where tests save more by it than the build costs.
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
    // Libraries of the system, and code in C.
    .systemLibrary(name: "CGcrypt"),
    .systemLibrary(name: "CSQLite"),
    .systemLibrary(name: "CSystemd"),
    .systemLibrary(name: "CWeb"),
    .target(name: "CLinux"),
    .target(name: "CForget"),
    .target(name: "CText", exclude: ["LICENSE", "make_readings.py"], cSettings: optimizedC),
    // Each file has sections of its own, so that a program gets only those that it uses.
    .target(
      name: "CResources",
      exclude: [
        "column_names.txt", "common_passwords.txt", "decomposition_pairs.txt", "decomposition_singletons.txt",
        "division_variants.txt",
        "divisions.txt", "eff_large_wordlist.txt", "licence.png", "make_divisions.py", "make_licence.py",
      ], cSettings: [.unsafeFlags(["-fdata-sections", "-ffunction-sections"])]),
    .target(
      name: "CImaging", cSettings: [.unsafeFlags(imagingHeaders + ["-Wall", "-Wextra", "-O2"])],
      linkerSettings: [
        "vips", "gobject-2.0", "gmodule-2.0", "glib-2.0", "pangocairo-1.0", "pango-1.0", "cairo", "heif",
        "jpeg", "seccomp", "m",
      ].map { .linkedLibrary($0) }),

    // What all programs share, and what clients know of the vault.
    .target(name: "Wire", dependencies: ["CLinux", "CResources"], swiftSettings: strict + optimized),
    .target(
      name: "VaultInterface", dependencies: ["HelperProtocols", "Wire", "CText", "CResources"],
      swiftSettings: strict + optimized),
    .executableTarget(
      name: "qv", dependencies: ["VaultInterface", "Wire", "CLinux", "CResources"], exclude: ["Help"],
      swiftSettings: strict, linkerSettings: standalone),

    // The vault and its service.
    .target(name: "VaultCrypto", dependencies: ["Wire", "CGcrypt"], swiftSettings: strict),
    .target(name: "VaultStore", dependencies: ["Wire", "CSQLite"], swiftSettings: strict),
    .target(
      name: "Vault",
      dependencies: ["VaultInterface", "VaultCrypto", "VaultStore", "Wire", "CLinux", "CResources"],
      swiftSettings: strict),
    .target(
      name: "VaultExchange", dependencies: ["VaultInterface", "Wire", "CResources"], swiftSettings: strict),
    .target(
      name: "Service",
      dependencies: [
        "Vault", "VaultExchange", "VaultInterface", "HelperProtocols", "Wire", "CLinux", "CResources",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "quickvault",
      dependencies: ["Service", "VaultInterface", "Wire", "CLinux", "CForget", "CResources"],
      exclude: ["Help"], swiftSettings: strict, linkerSettings: standalone),

    // Programs that do for the vault what it must not do itself.
    .target(name: "HelperProtocols", dependencies: ["Wire"], swiftSettings: strict),
    .target(name: "ImagingFormats", dependencies: ["Wire"], swiftSettings: strict),
    .executableTarget(
      name: "quickvault-imaging", dependencies: ["ImagingFormats", "Wire", "CImaging"], exclude: ["packages"],
      swiftSettings: strict, linkerSettings: standalone),
    .executableTarget(
      name: "quickvault-desktop", dependencies: ["HelperProtocols", "Wire", "CSystemd", "CLinux"],
      exclude: ["packages"], swiftSettings: strict, linkerSettings: standalone),
    .target(
      name: "WebCarrier",
      dependencies: ["HelperProtocols", "Wire", "CWeb", "CGcrypt", "CLinux"],
      swiftSettings: strict),
    .executableTarget(
      name: "quickvault-carrier", dependencies: ["WebCarrier", "HelperProtocols", "Wire", "CLinux"],
      exclude: ["packages"], swiftSettings: strict, linkerSettings: standalone),

    .testTarget(name: "JSONTests", dependencies: ["Wire", "TestSamples"], swiftSettings: tests),
    .testTarget(name: "EventLoopTests", dependencies: ["Wire", "TestSupport"], swiftSettings: tests),
    .testTarget(
      name: "SharedServiceTests",
      dependencies: ["Wire", "CLinux", "TestSupport"], swiftSettings: tests),
    .testTarget(
      name: "JSONRPCTests", dependencies: ["Wire", "TestSamples", "TestSupport"],
      swiftSettings: tests),
    .testTarget(
      name: "DesktopProtocolTests", dependencies: ["HelperProtocols", "Wire", "TestSupport"],
      swiftSettings: tests),
    .testTarget(
      name: "CarrierProtocolTests", dependencies: ["HelperProtocols", "Wire", "TestSupport"],
      swiftSettings: tests),
    .testTarget(
      name: "WebCarrierTests",
      dependencies: [
        "TestSupport", "WebCarrier", "HelperProtocols", "qv", "quickvault", "quickvault-imaging",
      ],
      swiftSettings: tests),
    .testTarget(
      name: "VaultModelTests", dependencies: ["VaultInterface", "Wire", "TestSamples", "CText"],
      exclude: ["pasted"],
      swiftSettings: tests),
    .testTarget(
      name: "VaultExchangeTests",
      dependencies: ["VaultExchange", "VaultInterface", "Wire", "TestSamples"],
      exclude: ["files"], swiftSettings: tests),
    .testTarget(
      name: "VaultProtocolTests", dependencies: ["VaultInterface", "Wire"],
      swiftSettings: tests),
    .testTarget(
      name: "VaultCommandLineTests", dependencies: ["qv"], swiftSettings: tests),
    .testTarget(
      name: "LanguageServerTests", dependencies: ["Service", "Wire"], swiftSettings: tests),
    .testTarget(
      name: "VaultCryptoTests",
      dependencies: ["VaultCrypto", "Wire", "CGcrypt", "TestSamples", "TestVectors"],
      exclude: ["vectors"],
      swiftSettings: tests),
    .testTarget(
      name: "VaultStoreTests", dependencies: ["VaultStore", "Wire", "CSQLite"], swiftSettings: tests
    ),
    .testTarget(
      name: "VaultSessionTests",
      dependencies: [
        "Vault", "VaultInterface", "Wire", "VaultCrypto", "VaultStore", "CSQLite", "CLinux", "SessionSupport",
        "TestSupport", "TestSamples", "quickvault",
      ],
      swiftSettings: tests),
    .testTarget(
      name: "VaultMaintenanceTests",
      dependencies: [
        "Vault", "VaultInterface", "Wire", "VaultCrypto", "VaultStore", "CSQLite", "SessionSupport",
        "TestSupport", "TestSamples",
      ],
      swiftSettings: tests),
    .testTarget(
      name: "VaultSyncTests",
      dependencies: [
        "Vault", "VaultInterface", "Wire", "VaultCrypto", "VaultStore", "SessionSupport", "TestSupport",
        "TestSamples", "TestVectors",
      ],
      swiftSettings: tests),
    .target(
      name: "SessionSupport",
      dependencies: ["Vault", "VaultInterface", "Wire", "CSQLite", "CDerivationCache"],
      path: "Tests/SessionSupport", swiftSettings: tests),
    .testTarget(
      name: "VaultServerTests",
      dependencies: [
        "Service", "HelperProtocols", "Wire", "VaultInterface", "Vault", "VaultExchange", "TestSupport",
        "quickvault", "quickvault-imaging",
      ],
      swiftSettings: tests),
    .testTarget(
      name: "ProgramTests",
      dependencies: [
        "TestSupport", "TestSamples", "quickvault", "quickvault-imaging", "sandbox-probe", "Wire", "CLinux",
      ],
      exclude: ["clients"],
      swiftSettings: tests),
    .target(name: "CDerivationCache", path: "Tests/CDerivationCache"),
    .executableTarget(name: "sandbox-probe", dependencies: ["CLinux"], path: "Tests/SandboxProbe"),
    .target(
      name: "TestSamples", dependencies: ["Wire"], path: "Tests/Samples", swiftSettings: strict),
    .target(
      name: "TestVectors", dependencies: ["VaultCrypto", "Wire"], path: "Tests/Vectors",
      swiftSettings: tests),
    .target(
      name: "TestSupport", dependencies: ["CLinux"], path: "Tests/Support",
      exclude: ["socket_askers.py", "socket_client.py", "socket_crowd.py"],
      swiftSettings: tests, linkerSettings: installedRuntime),
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
      dependencies: ["CFloors", "Wire", "TestSamples", "VaultInterface"],
      path: "Tests/Benchmarks/Benchmark",
      swiftSettings: strict),
    .testTarget(
      name: "BenchmarkTests", dependencies: ["quickvault-benchmark", "TestSamples", "quickvault-imaging"],
      swiftSettings: tests),
    // `make soak`: ten years of many machines.
    .executableTarget(
      name: "sync-simulation",
      dependencies: ["Vault", "VaultInterface", "Wire", "TestSamples"],
      path: "Tests/Soak/Simulation", swiftSettings: tests),
  ]
}

// What the fuzz targets ask of an input. `make fuzz` makes a program of each, which wants a driver and coverage in all that it
// links; without those, one program gives them the findings of earlier runs again.
let fuzzed = [
  "FuzzFraming": ["Wire"], "FuzzJSON": ["Wire"], "FuzzQuery": ["VaultInterface"],
  "FuzzGreeting": ["Wire"], "FuzzRecord": ["VaultInterface"],
  "FuzzSyncFile": ["Vault"], "FuzzWebCarrier": ["WebCarrier"],
  "FuzzTemplate": ["VaultInterface"], "FuzzForm": ["VaultInterface"], "FuzzAddresses": ["VaultInterface"],
  "FuzzImaging": ["ImagingFormats"],
  "FuzzVaultFile": ["FuzzSupport", "Wire"],
  "FuzzConversation": ["FuzzSupport", "Wire", "TestSamples", "CFuzz"],
  "FuzzTables": ["VaultExchange", "VaultInterface", "FuzzEntries"],
  "FuzzVCards": ["VaultExchange", "VaultInterface", "FuzzEntries"],
  "FuzzKeePass": ["VaultExchange", "FuzzEntries"],
  "FuzzImportJSON": ["VaultExchange", "FuzzEntries", "Wire"],
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
      dependencies: ["Service", "Vault", "Wire", "CFuzz"],
      path: "Tests/Fuzz/Support",
      swiftSettings: tests),
    .target(
      name: "FuzzEntries", dependencies: ["VaultExchange", "VaultInterface", "Wire"],
      path: "Tests/Fuzz/Entries",
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
