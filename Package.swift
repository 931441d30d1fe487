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
  ],
  targets: [
    .systemLibrary(name: "CGcrypt"),
    .systemLibrary(name: "CSQLite"),
    .target(name: "CLinux"),
    .target(name: "COpenRPC"),

    .target(name: "JSONRPC", dependencies: ["CLinux"], swiftSettings: house),
    .target(name: "VaultModel", swiftSettings: house),
    .target(name: "VaultProtocol", dependencies: ["VaultModel", "JSONRPC"], swiftSettings: house),
    .target(name: "VaultCrypto", dependencies: ["CGcrypt"], swiftSettings: house),
    .target(name: "VaultStore", dependencies: ["CSQLite"], swiftSettings: house),
    .target(
      name: "VaultSession", dependencies: ["VaultModel", "VaultCrypto", "VaultStore"], swiftSettings: house),
    .target(
      name: "VaultServer",
      dependencies: ["JSONRPC", "VaultProtocol", "VaultSession", "VaultModel", "COpenRPC", "CLinux"],
      swiftSettings: house),
    .executableTarget(name: "quickvault", dependencies: ["VaultServer", "CLinux"], swiftSettings: house),

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

    .testTarget(name: "JSONRPCTests", dependencies: ["JSONRPC"], swiftSettings: tests),
    .testTarget(name: "VaultModelTests", dependencies: ["VaultModel"], swiftSettings: tests),
    .testTarget(
      name: "VaultCryptoTests", dependencies: ["VaultCrypto"], exclude: ["vectors"], swiftSettings: tests),
    .testTarget(name: "VaultStoreTests", dependencies: ["VaultStore"], swiftSettings: tests),
    .testTarget(name: "VaultSessionTests", dependencies: ["VaultSession"], swiftSettings: tests),
    .testTarget(name: "VaultServerTests", dependencies: ["VaultServer"], swiftSettings: tests),
    .testTarget(name: "ProgramTests", swiftSettings: tests),
  ]
)
