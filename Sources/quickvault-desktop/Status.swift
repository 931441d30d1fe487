import JSON

/// What `desktop/status` tells: each part of the desktop, and what is missing.
extension DesktopServices {
  /// Looks at every part.
  func status() async -> JSON {
    ["fingerprint": await fingerprint(), "keychain": await keychain(), "session": await loginSession()]
  }

  private func fingerprint() async -> JSON {
    do {
      let reader = try await FingerprintReader(on: try system())
      do {
        let fingers = try await reader.fingers()
        let enrolled: [JSON.Member] = [
          .init("fingers", .array(fingers.map { .string($0) })),
          .init("enrollment", .string(reader.enrollment(of: fingers))),
        ]
        return Availability(.ready).json(reader.details + enrolled)
      } catch {
        return error.json(reader.details)
      }
    } catch {
      return error.json()
    }
  }

  private func keychain() async -> JSON {
    do {
      return try await Keychain(on: try session()).availability().json()
    } catch {
      return error.json()
    }
  }

  private func loginSession() async -> JSON {
    do {
      let bus = try system()
      let manager: LoginManager
      do {
        manager = try await LoginManager(on: bus)
      } catch {
        throw Availability(error, service: "systemd")
      }
      guard let session = await session(manager), let isLocked = try? await session.isLocked() else {
        return Availability(.none).json()
      }
      return Availability(.ready).json([.init("id", .string(session.id)), .init("locked", .bool(isLocked))])
    } catch let availability as Availability {
      return availability.json()
    } catch {
      return Availability(.failed).json()
    }
  }
}
