import Vault
import VaultInterface

extension Registry {
  @MethodList static var syncs: [Method] {
    Method(.reading, countsAsActivity: false) {
      (request: SyncStatusRequest, context: SyncContext) throws -> Outcome<SyncResponse> in
      Outcome(try context.answer())
    }

    Method { (request: SyncEnable, context: SyncContext) async throws -> Outcome<SyncResponse> in
      let folder = try UserPath(request.folder)
      _ = try context.session.settings()
      try context.work.confirmation.require()
      try await context.work.progress.during(request.progressToken, WorkTitle.synchronizing) { report in
        try await context.work.interruptibly {
          try await context.sync.run(context.session) {
            try await context.session.enableSync(
              folder, machine: HostName.unless(request.machine), report, pause: context.pause)
          }
        }
      }
      return Outcome(try context.answer())
    }

    Method(.exclusive, prompts: .password, isOpenToAll: true) {
      (request: SyncJoin, context: SyncContext) async throws -> Outcome<SyncResponse> in
      try context.unlock.refuseWhileHandingOff()
      context.unlock.desktop.fetchStatusIfUnknown()
      let folder = try UserPath(request.folder)
      guard try !context.session.status().exists else { throw VaultError.exists }
      let (token, notifications) = (request.progressToken, context.work.progress.notifications)
      let status = try await context.work.progress.during(token, WorkTitle.synchronizing) { report in
        try await context.work.interruptibly {
          try await context.account.mirrorBeforeJoining(folder, in: context.credentials) { percentage in
            guard let token else { return }
            notifications.send(Progress(token, .report(percentage: percentage / 2)))
          }
          return try await context.session.joinSync(
            folder, password: request.password, machine: HostName.unless(request.machine),
            deriving: { try await context.derive(leaving: .exclusive, $0) }
          ) { await report(50 + $0 / 2) }
        }
      }
      context.sync.didRun(status)
      await context.unlock.didUnlockWithPassword()
      return Outcome(try context.answer(), admittedBy: .password)
    }

    Method { (request: SyncNow, context: SyncContext) async throws -> Outcome<SyncResponse> in
      try await context.work.progress.during(request.progressToken, WorkTitle.synchronizing) { report in
        try await context.synchronize(report)
        guard request.waitsForServer else {
          context.account.mirrorNow()
          return
        }
        // What was carried here is to be applied, too.
        if try await context.carry(leaving: .writing) { try await context.synchronize(report) }
      }
      return Outcome(try context.answer())
    }

    Method { (request: SyncDisable, context: SyncContext) throws -> Outcome<SyncResponse> in
      try context.session.disableSync()
      context.sync.disable()
      return Outcome(SyncResponse(nil))
    }

    Method { (request: SyncForget, context: SyncContext) async throws -> Outcome<SyncResponse> in
      try await context.work.interruptibly {
        try await context.sync.run(context.session) {
          try await context.session.forgetReplica(request.replica, pause: context.pause)
          return try context.session.syncStatus()
        }
      }
      return Outcome(try context.answer())
    }

    Method(.exclusive, prompts: .password) {
      (request: SyncRejoin, context: SyncContext) async throws -> Outcome<SyncResponse> in
      try await context.work.progress.during(request.progressToken, WorkTitle.reencrypting) { report in
        try await context.work.interruptibly {
          try await context.sync.run(context.session) {
            try await context.session.rejoin(
              password: request.password, deriving: { try await context.derive(leaving: .exclusive, $0) },
              report)
          }
        }
      }
      return Outcome(try context.answer())
    }
  }
}
