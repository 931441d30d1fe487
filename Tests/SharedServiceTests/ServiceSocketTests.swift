import CLinux
import Foundation
import TestSupport
import Testing

@testable import Wire

/// How a process becomes the service of a vault, and how clients find it.
@Suite(.timeLimit(.minutes(15))) struct ServiceSocketTests {
  private let places: Places
  private let place: ServiceLocation

  init() throws {
    places = try Places()
    place = try places.place()
  }

  private var greeting: Greeting { Greeting(vault: place.vault, locale: "C") }

  /// The names of files in the directory of sockets.
  private func files() throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: place.directory))
  }

  /// Why a client cannot connect.
  private func failure(_ place: ServiceLocation, _ greeting: Greeting) -> ServiceConnection.Failure? {
    do throws(ServiceConnection.Failure) {
      _ = try ServiceConnection.open(place, greeting)
      return nil
    } catch { return error }
  }

  @Test("One process is the service of a vault, and another after it has released the socket")
  func claims() throws {
    let socket = try #require(try ServiceSocket.claim(place))
    #expect(socket.isValid)
    #expect(try files() == [place.name + ".sock", place.name + ".lock"])
    let lock = try String(contentsOfFile: "\(place.directory)/\(place.name).lock", encoding: .utf8)
    #expect(lock == "\(getpid())\n")
    #expect(try ServiceSocket.claim(place) == nil)
    let other = try #require(try ServiceSocket.claim(try places.place(vault: "data/other")))
    other.release(try places.place(vault: "data/other"))
    socket.release(place)
    #expect(try !files().contains(place.name + ".sock"))
    let next = try #require(try ServiceSocket.claim(place))
    next.release(place)
  }

  @Test("A service leaves the socket of another alone, after its own directory was removed")
  func replacedDirectory() throws {
    let first = try #require(try ServiceSocket.claim(place))
    // As a logout removes the runtime directory of a user whose service runs on.
    try FileManager.default.removeItem(atPath: place.directory)
    let second = try #require(try ServiceSocket.claim(place))
    first.release(place)
    #expect(try files() == [place.name + ".sock", place.name + ".lock"])
    second.release(place)
    #expect(try !files().contains(place.name + ".sock"))
  }

  @Test("A socket that a killed service left is replaced, and so is a file or a link in its place")
  func stale() throws {
    for kind in ["file", "link", "socket"] {
      _ = try ServiceDirectory.open(place, creating: true)
      switch kind {
      case "file": try #require(FileManager.default.createFile(atPath: place.socket, contents: nil))
      case "link":
        try FileManager.default.createSymbolicLink(atPath: place.socket, withDestinationPath: "/nowhere")
      default:
        let left = linux_socket()
        try #require(linux_bind(left, place.socket) == 0)
        close(left)
      }
      let socket = try #require(try ServiceSocket.claim(place))
      socket.release(place)
    }
  }

  @Test("A service whose lock file somebody removed is still the only one")
  func removedLock() throws {
    let socket = try #require(try ServiceSocket.claim(place))
    defer { socket.release(place) }
    try FileManager.default.removeItem(atPath: "\(place.directory)/\(place.name).lock")
    #expect(try ServiceSocket.claim(place) == nil)
  }

  @Test("A service whose socket was removed is reported with its process")
  func removedSocket() throws {
    let socket = try #require(try ServiceSocket.claim(place))
    defer { socket.release(place) }
    try FileManager.default.removeItem(atPath: place.socket)
    let failure = ServiceSocket.Failure.unreachable(path: place.socket, process: Int(getpid()))
    #expect(throws: failure) { _ = try ServiceSocket.claim(place) }
  }

  @Test("A service is decoded as it was encoded, and is valid while its descriptors are")
  func coding() async throws {
    // In a process of its own: in this one, other tests get the numbers of descriptors that were closed.
    await #expect(processExitsWith: .success) {
      let places = try Places()
      let place = try places.place()
      let socket = try #require(try ServiceSocket.claim(place))
      let service = RunningService(place: place, socket: socket)
      #expect(try RunningService.read(service.json, at: "") == service)
      #expect(socket.isValid && service.isValid && service.descriptors.count == 2)
      socket.release(place)
      #expect(!socket.isValid && !service.isValid)
      withExtendedLifetime(places) {}
    }
  }

  @Test("A client finds the service, by its own socket or by that of systemd")
  func connecting() async throws {
    #expect(try ServiceConnection.open(place, greeting) == nil)
    let service = try await ListeningService()
    let greeting = Greeting(vault: service.vault, locale: "C")
    let connection = try #require(try ServiceConnection.open(service.place, greeting))
    #expect(connection.version == ListeningService.version && connection.process == Int(getpid()))
    close(connection.descriptor)
    try FileManager.default.moveItem(
      atPath: service.path, toPath: "\(service.place.directory)/\(service.place.unitSocketName)")
    let unit = try #require(try ServiceConnection.open(service.place, greeting))
    close(unit.descriptor)
    #expect(
      failure(service.place, self.greeting) == .refused(.otherVault, version: ListeningService.version))
    try await service.stop()
  }

  @Test("A service that closes the connection before its answer, or answers something else, is reported")
  func silent() async throws {
    let socket = try #require(try ServiceSocket.claim(place))
    for (answer, failure) in [
      ("", ServiceConnection.Failure.closed), ("{}\n", .noAnswer), ("HTTP/1.1 400", .closed),
      (String(repeating: "a", count: 5_000), .noAnswer),
    ] {
      let served = Event<Void>("the end of the connection")
      Thread.detachNewThread {
        var query = pollfd(fd: Int32(socket.descriptor), events: Int16(POLLIN), revents: 0)
        poll(&query, 1, Int32(eventTimeout * 1_000))
        let client = linux_accept(Int32(socket.descriptor))
        _ = linux_send(client, Array(answer.utf8), answer.utf8.count)
        close(client)
        served.happen()
      }
      #expect(self.failure(place, greeting) == failure)
      try await served.value()
    }
    socket.release(place)
  }

  @Test("The name of systemd's socket is that of systemd-escape", .enabled(if: systemdEscape != nil))
  func unitName() throws {
    for path in ["/a", "/home/lin/.local/a-b_c:d", "/.hidden/保险 库", "/a/\u{7F}\\x", "/"] {
      let escaped = try run(try #require(Self.systemdEscape), ["--path", path]).output.dropLast()
      let place = try ServiceLocation(vault: path, environment: { _ in nil }, root: places.root)
      #expect(place.unitSocketName == escaped + ".sock")
    }
  }

  private static let systemdEscape = ["/usr/bin/systemd-escape", "/bin/systemd-escape"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  @Test("The inspector reports the executables of processes, and ends when its last client is gone")
  func inspector() async throws {
    // In a process of its own: what asks an inspector that is gone would write to what another test has open by then.
    await #expect(processExitsWith: .success) {
      let inspector = try #require(Executables.startInspector())
      let executables = Executables(inspector: inspector)
      #expect(executables.executable(of: Int(getpid())) == Executables.own)
      let (asked, known) = (
        executables.executable(of: Int(getppid())), Executables().executable(of: Int(getppid()))
      )
      #expect(asked == known)
      #expect(executables.executable(of: 0) == nil)
      close(inspector)
      #expect(executables.executable(of: Int(getpid())) == nil)
      // Not a child, which would stay as a zombie: nobody waits for it.
      #expect(try !Self.namesOfChildren().contains("quickvault-peer"))
    }
  }

  private static func namesOfChildren() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").flatMap { thread in
      let children =
        (try? String(contentsOfFile: "/proc/self/task/\(thread)/children", encoding: .utf8)) ?? ""
      return children.split(separator: " ").compactMap { child in
        (try? String(contentsOfFile: "/proc/\(child)/comm", encoding: .utf8))?.trimmingCharacters(
          in: .newlines)
      }
    }
  }
}
