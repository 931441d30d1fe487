package import Wire

/// `settings/get`: all settings (R13), and what a form needs to show them.
package struct SettingsGet: ParameterlessRequest {
  package static let method = "settings/get"

  package init() {}

  package struct Response: ResultObject, Hashable {
    package var settings: Settings

    package init(settings: Settings) { self.settings = settings }

    package static let coder = ObjectCoder<Self>(
      read: { members throws(ParameterError) in Self(settings: try members.required("settings")) },
      write: { response, members in
        members += [
          .init("settings", response.settings.json),
          .init("descriptions", .array(Setting.allCases.map(\.descriptionJSON))),
        ]
      })
  }
}

extension Setting {
  fileprivate var descriptionJSON: JSON {
    let description = description
    var members: [JSON.Member] = [.init("name", .string(rawValue))]
    switch description.kind {
    case .flag: members.append(.init("kind", "flag"))
    case .template: members.append(.init("kind", "template"))
    case .tag: members.append(.init("kind", "tag"))
    case .seconds(let range):
      members += [
        .init("kind", "seconds"), .init("minimum", range.lowerBound.json),
        .init("maximum", range.upperBound.json),
      ]
    case .count(let range):
      members += [
        .init("kind", "count"), .init("minimum", range.lowerBound.json),
        .init("maximum", range.upperBound.json),
      ]
    case .choice(let choices):
      members += [
        .init("kind", "choice"),
        .init("choices", .array(choices.map { ["value": .string($0.value), "label": $0.label.json] })),
      ]
    }
    members += [
      .init("default", description.initial.json), .init("label", description.label.json),
      .init("help", description.help.json),
    ]
    return .object(members)
  }
}

/// `settings/update`: changes the given settings (R13).
package struct SettingsUpdate: VaultRequest {
  package static let method = "settings/update"

  package var change: SettingsChange

  package init(change: SettingsChange) { self.change = change }

  package static let coder = ObjectCoder(Self.init, .members(\.change))

  package struct Response: ResultObject, Hashable {
    package var settings: Settings

    package init(settings: Settings) { self.settings = settings }

    package static let coder = ObjectCoder(Self.init, .required("settings", \.settings))
  }
}

extension Settings: JSONObject {
  package static let coder = ObjectCoder<Self>(
    read: { members throws(ParameterError) in
      var settings = Settings()
      for (setting, value) in try SettingsChange.coder.read(&members).values { settings[setting] = value }
      return settings
    },
    write: { settings, members in
      let values = Setting.allCases.map { ($0, settings[$0]) }
      members += Setting.members(values)
      let templates = values.filter { $0.1 != .none }
      members.append(.init("copyTemplates", .object(Setting.templates(templates))))
    })
}

extension SettingsChange: JSONObject {
  package static let coder = ObjectCoder<Self>(
    read: { members throws(ParameterError) in
      var change = SettingsChange()
      for setting in Setting.allCases where setting.template == nil {
        change.values[setting] = try setting.take(from: &members)
      }
      for (type, template) in try members.optional("copyTemplates") ?? [CardType: String?]() {
        guard let setting = Setting(templateFor: type) else { continue }
        change.values[setting] = template.map(Setting.Value.text) ?? Setting.Value.none
      }
      return change
    },
    write: { change, members in
      let values = Setting.allCases.compactMap { setting in change.values[setting].map { (setting, $0) } }
      members += Setting.members(values)
      let templates = Setting.templates(values)
      if !templates.isEmpty { members.append(.init("copyTemplates", .object(templates))) }
    })
}

extension Setting {
  /// The name of the type whose copy template it is; nil if it is none.
  package var template: String? {
    if case .template(let type) = description.kind { type.rawValue } else { nil }
  }

  /// The members of the settings that are no templates.
  fileprivate static func members(_ values: [(Setting, Value)]) -> [JSON.Member] {
    values.filter { $0.0.template == nil }.map { .init($0.0.rawValue, $0.1.json) }
  }

  /// The members of `copyTemplates`.
  fileprivate static func templates(_ values: [(Setting, Value)]) -> [JSON.Member] {
    values.compactMap { setting, value in setting.template.map { .init($0, value.json) } }
  }

  /// Takes the parameter of the setting; nil if it is missing.
  fileprivate func take(from members: inout Parameters) throws(ParameterError) -> Value? {
    switch description.kind {
    case .flag: (try members.optional(rawValue) as Bool?).map(Value.flag)
    case .seconds: (try members.present(rawValue) as Int??).map { $0.map(Value.seconds) ?? Value.none }
    case .count: (try members.optional(rawValue) as Int?).map(Value.number)
    case .choice, .template: (try members.optional(rawValue) as String?).map(Value.text)
    case .tag: (try members.present(rawValue) as String??).map { $0.map(Value.text) ?? Value.none }
    }
  }
}

extension Setting.Value: JSONConvertible {
  package var json: JSON {
    switch self {
    case .flag(let isOn): .bool(isOn)
    case .seconds(let number), .number(let number): .integer(number)
    case .text(let text): .string(text)
    case .none: .null
    }
  }
}
