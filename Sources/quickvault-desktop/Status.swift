import HelperProtocols

extension DesktopServices {
  /// Checks every part of the desktop.
  func status() async -> DesktopStatus.Response {
    DesktopStatus.Response(
      fingerprint: await fingerprint(), keychain: await keychain(), session: await loginSession())
  }

  private func fingerprint() async -> DesktopStatus.Part {
    do {
      let reader = try await FingerprintReader(on: try system())
      do {
        let fingers = try await reader.enrolledFingers()
        var part = reader.status(Availability(.ready))
        part.fingers = fingers
        part.enrollment = reader.enrollment(of: fingers)
        return part
      } catch {
        return reader.status(error)
      }
    } catch {
      return DesktopStatus.Part(error)
    }
  }

  private func keychain() async -> DesktopStatus.Part {
    do {
      return DesktopStatus.Part(try await Keychain(on: try session()).availability())
    } catch {
      return DesktopStatus.Part(error)
    }
  }

  private func loginSession() async -> DesktopStatus.Part {
    do throws(Availability) {
      let bus = try system()
      let manager: LoginManager
      do {
        manager = try await LoginManager(on: bus)
      } catch {
        throw Availability(error, service: "systemd")
      }
      guard let session = await session(manager), let isLocked = try? await session.isLocked() else {
        throw Availability(.none)
      }
      var part = DesktopStatus.Part(Availability(.ready))
      part.id = session.id
      part.isLocked = isLocked
      return part
    } catch {
      return DesktopStatus.Part(error)
    }
  }
}

extension Availability {
  /// Interprets a failed call to a service, which `package` provides.
  init(_ error: BusError, service package: String) {
    switch error {
    case _ where error.isServiceMissing: self.init(.serviceMissing, package: package)
    case .failed(name: "org.freedesktop.DBus.Error.AccessDenied"): self.init(.permissionDenied)
    default: self.init(.failed)
    }
  }
}
