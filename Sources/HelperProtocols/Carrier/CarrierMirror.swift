package import Wire

/// `carrier/mirror`.
package struct CarrierMirror: CarrierRequest {
  package static let method = "carrier/mirror"

  /// An absolute path.
  package var folder: String
  package var address: String
  package var credentials: CarrierCredentials
  package var authorities: String?
  /// A string or an integer; nil for no ``CarrierProgress``.
  package var progressToken: JSON?
  /// Whether the pass waits for another one over the folder, and goes on when the input is closed, each for up to two minutes.
  package var finishes: Bool
  /// Whether all files are listed, even if the marks of other carriers show no change.
  package var listsAll: Bool

  package init(
    folder: String, address: String, credentials: CarrierCredentials, authorities: String? = nil,
    progressToken: JSON? = nil, finishes: Bool = false, listsAll: Bool = false
  ) {
    (self.folder, self.address, self.credentials) = (folder, address, credentials)
    (self.authorities, self.progressToken, self.finishes) = (authorities, progressToken, finishes)
    self.listsAll = listsAll
  }

  package static let coder = ObjectCoder(
    Self.init(folder:address:credentials:authorities:progressToken:finishes:listsAll:),
    .required("folder", \.folder).checked("folder", .string) { @Sendable in $0.hasPrefix("/") },
    .required("address", \.address), .required("credentials", \.credentials), .authorities(\.authorities),
    .optional("progressToken", \.progressToken).checked("progressToken", .token) {
      @Sendable in $0 == nil || $0?.string != nil || $0?.integer != nil
    }, .always("finishes", \.finishes, default: false), .always("listsAll", \.listsAll, default: false))

  package struct Response: ResultObject, Hashable {
    package var sent = 0
    package var received = 0
    package var removedThere = 0
    package var removedHere = 0
    package var bytesSent = 0
    package var bytesReceived = 0
    /// The files that were not copied because one side is damaged, as paths below the folder.
    package var damaged: [String] = []
    /// Those of them whose copy on the server is the damaged one. Of the others it may be the one here.
    package var damagedThere: [String] = []
    /// The files that were not carried for another reason, and why.
    package var failed: [Failure] = []
    /// Why uploads were less safe than usual: ``CarrierError/renameRefused(_:)``.
    package var notice: CarrierError?

    /// The answer of a pass that has done nothing yet.
    package static let nothing = Self()

    package static let coder = ObjectCoder(
      Self.init(
        sent:received:removedThere:removedHere:bytesSent:bytesReceived:damaged:damagedThere:failed:notice:),
      .required("sent", \.sent), .required("received", \.received),
      .required("removedThere", \.removedThere), .required("removedHere", \.removedHere),
      .required("bytesSent", \.bytesSent), .required("bytesReceived", \.bytesReceived),
      .required("damaged", \.damaged), .required("damagedThere", \.damagedThere),
      .required("failed", \.failed), .optional("notice", \.notice))
  }

  /// A file that was not carried, as a path below the folder, and why.
  package struct Failure: ResultObject, Hashable, Sendable {
    package let file: String
    package let error: CarrierError

    package init(file: String, error: CarrierError) {
      (self.file, self.error) = (file, error)
    }

    package static let coder = ObjectCoder(
      Self.init(file:error:), .required("file", \.file), .required("error", \.error))
  }
}

/// `$/progress`: the progress of a pass, in the form of LSP 3.17.
package struct CarrierProgress: OutgoingNotification, ResultObject, Hashable {
  package static let method = "$/progress"

  package let token: JSON
  package let value: Report

  package init(_ token: JSON, percentage: Int) {
    (self.token, value) = (token, Report(percentage: percentage))
  }

  private init(token: JSON, value: Report) {
    (self.token, self.value) = (token, value)
  }

  package static let coder = ObjectCoder(
    Self.init(token:value:), .required("token", \.token), .required("value", \.value))

  package struct Report: ResultObject, Hashable {
    /// The part of the files that is copied.
    package let percentage: Int

    package static let coder = ObjectCoder<Self>(
      read: { members throws(ParameterError) in
        Report(percentage: try members.required("percentage"))
      },
      write: { report, members in
        members += [.init("kind", "report"), .init("percentage", .integer(report.percentage))]
      })
  }
}
