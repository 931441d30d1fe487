import VaultInterface
import Wire

/// The messages of editors that are no requests of the vault.
extension VaultService {
  /// Applies a document notification, and asks the user about a new marker in the text.
  func takeDocument(_ notification: IncomingNotification, of client: ClientConversation) {
    // Of an editor that may not use the vault yet, as much is kept as of one document.
    let size = (isAdmitted(client) ? OpenDocuments.limit : 1) * OpenDocuments.maximumDocumentSize
    let found = client.withEditor { editor -> (marker: Markers.Marker, place: EditTarget)? in
      guard
        let uri = editor.documents.take(notification.method, notification.parameters, keeping: size),
        let document = editor.documents[uri]
      else { return nil }
      return editor.markers.take(from: document, uri, editor.client.encoding)
    }
    guard let (marker, place) = found ?? nil else { return }
    let context = EditorContext(self, client)
    Task { await replace(marker, at: place, of: client, context) }
  }

  /// Has an editor show that it waits for a password or a fingerprint.
  ///
  /// - Returns: the token for the end; nil if the request asks for neither, or the editor shows no progress.
  func beginProgress(of request: IncomingRequest, _ client: ClientConversation) async -> JSON? {
    guard request.method == ExecuteCommand.method, let editor = client.editor?.client,
      ExecuteCommand.unlocks(request.parameters)
    else { return nil }
    var token = request.parameters?["workDoneToken"]?.unlessNull
    if token == nil, editor.showsProgress {
      let own = JSON.string("quickvault-unlock-\(configuration.clock.boot)")
      let connection = client.notifications.connection
      let answer = try? await client.interrupter.duringAnswer {
        try await connection.ask(WorkDoneProgress.Create(own))
      }
      if answer != nil { token = own }
    }
    guard let token else { return nil }
    let title = Localized("Unlocking QuickVault", "正在解锁随取")[language(of: client)]
    client.notifications.send(WorkDoneProgress(token, .begin(title: title)))
    return token
  }

  /// Replaces a marker by its value if the user consents, and otherwise by what was typed.
  private func replace(
    _ marker: Markers.Marker, at place: EditTarget, of client: ClientConversation, _ context: EditorContext
  ) async {
    do {
      try context.requireOpen()
      let value = try CardValue(of: marker.suggestion.card, field: marker.suggestion.field, context)
      guard try await context.ask(value.question(context)) else {
        return try await context.replace(place, by: marker.typed)
      }
      // It may have been revoked meanwhile.
      try requireAdmission(of: client)
      try await value.insertWithConsent(at: place, as: "marker", context)
      noteActivity(of: client)
    } catch is CancellationError {
    } catch {
      let descriptor = ErrorDescriptor(error)
      log.record(error, of: "marker")
      client.notifications.send(ShowMessage(descriptor, language(of: client)))
    }
  }
}

extension IncomingRequest {
  /// The longest title that is made of a selection, in characters.
  private static let maximumTitleLength = 60

  /// The vault's own request that a command of an editor stands for, or this one.
  ///
  /// - Parameter hasFingerprint: whether a fingerprint can unlock the vault.
  func asVaultRequest(of editor: Editor?, hasFingerprint: @autoclosure () -> Bool) -> IncomingRequest {
    guard method == ExecuteCommand.method, let editor else { return self }
    if let own = ExecuteCommand.method(for: parameters, hasFingerprint: hasFingerprint()) {
      return IncomingRequest(id: id, method: own.method, parameters: own.parameters)
    }
    guard case .save(let selection) = try? ExecuteCommand.read(parameters).command,
      let text = try? editor.text(of: selection),
      let line = text.split(whereSeparator: \.isNewline).first(where: { !$0.allSatisfy(\.isWhitespace) })
    else { return self }
    let title = line.drop(while: \.isWhitespace).prefix(Self.maximumTitleLength)
    return IncomingRequest(
      id: id, method: "card/create",
      parameters: [
        "title": .string(String(title)), "group": .string(CardGroup.personal.rawValue),
        "type": .string(CardType.text.rawValue), "fields": ["text": .string(String(text))],
      ])
  }
}
