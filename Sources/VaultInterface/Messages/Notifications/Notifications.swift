package import Wire

/// `session/didLock`: the vault was locked, and the client clears what it shows of it (R12).
package struct SessionDidLock: VaultNotification, Hashable {
  package static let method = "session/didLock"

  package enum Reason: String, CaseIterable, JSONCodable {
    /// The client asked for it.
    case request
    /// There was no activity for the set time.
    case timeout
    /// The client went to the background.
    case background
    /// The desktop session was locked.
    case deviceLocked
    /// The machine is going to sleep.
    case sleep
    /// Another process changed the password, or removed the vault's file.
    case passwordChanged
    /// The server is ending.
    case shutdown
    /// This client may not use the vault any more; it is still unlocked for others (U).
    case revoked
  }

  package var reason: Reason

  package init(reason: Reason) { self.reason = reason }

  package static let coder = ObjectCoder(Self.init(reason:), .required("reason", \.reason))
}

/// `session/didUnlock`: another client unlocked the vault (U).
package struct SessionDidUnlock: VaultNotification, Hashable {
  package static let method = "session/didUnlock"

  /// Whether this client may use it; if not, it has to be admitted.
  package var isAdmitted: Bool

  package init(isAdmitted: Bool) { self.isAdmitted = isAdmitted }

  package static let coder = ObjectCoder(Self.init(isAdmitted:), .required("admitted", \.isAdmitted))
}

/// `card/didChange`: another process changed the vault.
package struct CardDidChange: VaultNotification, Hashable {
  package static let method = "card/didChange"

  package enum Extent: Sendable, Hashable {
    case cards(changed: [Identifier], deleted: [Identifier])
    /// So much that the client should read everything again.
    case all
  }

  package var extent: Extent

  package init(_ extent: Extent) { self.extent = extent }

  package static let coder = ObjectCoder<Self>(
    read: { parameters throws(ParameterError) in
      if let all: Bool = try parameters.optional("all"), all { return Self(.all) }
      return Self(
        .cards(changed: try parameters.required("changed"), deleted: try parameters.required("deleted")))
    },
    write: { notification, members in
      switch notification.extent {
      case .cards(let changed, let deleted):
        members += [.init("changed", changed.json), .init("deleted", deleted.json)]
      case .all: members.append(.init("all", true))
      }
    })
}

/// `sync/didChange`: the result of `sync/status` changed (S).
package struct SyncDidChange: VaultNotification, Hashable {
  package static let method = "sync/didChange"

  package var status: SyncResponse

  package init(_ status: SyncResponse) { self.status = status }

  package static let coder = ObjectCoder(Self.init(_:), .members(\.status))
}

/// `biometric/didChangeState`: the progress of a fingerprint scan (R9).
package struct BiometricDidChangeState: VaultNotification, Hashable {
  package static let method = "biometric/didChangeState"

  package enum State: String, CaseIterable, JSONCodable {
    /// The reader waits for a finger.
    case scanning
    /// The last scan failed; another one may follow.
    case tryAgain
    case succeeded
    /// No attempt is left.
    case failed
  }

  /// Why a scan failed.
  package enum Reason: String, CaseIterable, JSONCodable {
    /// It matched no enrolled finger, and counts.
    case notMatched
    /// It could not be compared, and does not count.
    case tryAgain, swipeTooShort, fingerNotCentered, removeAndRetry, tooFast
  }

  package var state: State
  package var reason: Reason?
  package var attemptsLeft: Int
  package var message: LocalizedMessage

  package static let coder = ObjectCoder(
    Self.init, .required("state", \.state), .optional("reason", \.reason),
    .required("attemptsLeft", \.attemptsLeft), .members(\.message))
}

extension BiometricDidChangeState {
  package init(_ state: State, reason: Reason?, attemptsLeft: Int, message: Localized, language: Language) {
    self.init(
      state: state, reason: reason, attemptsLeft: attemptsLeft,
      message: LocalizedMessage(message, in: language))
  }
}

/// `account/didPrompt`: the person opens a page to sign in.
package struct AccountDidPrompt: VaultNotification, Hashable {
  package static let method = "account/didPrompt"

  package var url: String
  /// The code to type there; nil if none is needed.
  package var code: String?
  /// The same page with the code in its URL, such as for a QR code.
  package var urlWithCode: String?
  package var expiresInSeconds: Int

  package init(url: String, code: String?, urlWithCode: String?, expiresInSeconds: Int) {
    (self.url, self.code, self.urlWithCode) = (url, code, urlWithCode)
    self.expiresInSeconds = expiresInSeconds
  }

  package static let coder = ObjectCoder(
    Self.init(url:code:urlWithCode:expiresInSeconds:), .required("url", \.url), .optional("code", \.code),
    .optional("urlWithCode", \.urlWithCode), .required("expiresInSeconds", \.expiresInSeconds))
}

/// `window/showMessage`: a short message that a client shows for 2 seconds (R19).
package struct ShowMessage: VaultNotification, Hashable {
  package static let method = "window/showMessage"

  /// The MessageType of LSP 3.17.
  package enum Severity: Int, JSONCodable {
    case error = 1
    case information = 3

    package static func read(_ value: JSON, at path: String) throws(ParameterError) -> Severity {
      guard let severity = Severity(rawValue: try Int.read(value, at: path)) else {
        throw ParameterError(path, .integer)
      }
      return severity
    }

    package var json: JSON { .integer(rawValue) }
  }

  package var severity: Severity
  /// The event, such as `card.created`, or an error's kind.
  package var kind: String
  package var message: LocalizedMessage

  package static let coder = ObjectCoder(
    Self.init, .required("type", \.severity), .required("kind", \.kind), .members(\.message))
}

extension ShowMessage {
  package init(_ severity: Severity, kind: String, message: Localized, language: Language) {
    self.init(severity: severity, kind: kind, message: LocalizedMessage(message, in: language))
  }
}

/// `$/progress`: the progress of long work (LSP 3.17, work done progress).
package struct Progress: VaultNotification, Hashable {
  package static let method = "$/progress"

  package enum Stage: ResultObject, Hashable {
    case begin(message: String)
    /// The part that is done, in percent.
    case report(percentage: Int)
    /// The work is over, with or without success.
    case end

    private enum Kind: String, CaseIterable, JSONCodable {
      case begin, report, end
    }

    package static let coder = ObjectCoder<Self>(
      read: { members throws(ParameterError) in
        let kind: Kind = try members.required("kind")
        switch kind {
        case .begin: return .begin(message: try members.required("message"))
        case .report: return .report(percentage: try members.required("percentage"))
        case .end: return .end
        }
      },
      write: { stage, members in
        switch stage {
        case .begin(let message):
          members += [.init("kind", "begin"), .init("message", .string(message)), .init("percentage", 0)]
        case .report(let percentage):
          members += [.init("kind", "report"), .init("percentage", .integer(percentage))]
        case .end: members.append(.init("kind", "end"))
        }
      })
  }

  package var token: ProgressToken
  package var stage: Stage

  package init(_ token: ProgressToken, _ stage: Stage) {
    self.token = token
    self.stage = stage
  }

  package static let coder = ObjectCoder(
    Self.init(_:_:), .required("token", \.token), .required("value", \.stage))
}
