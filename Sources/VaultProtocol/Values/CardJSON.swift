public import JSON
public import VaultModel

extension Card {
  /// The card without its values, as lists give it.
  public var summary: JSON {
    .object(head + [.init("attachments", .array(attachments.map(\.json)))])
  }

  /// The whole card.
  ///
  /// - Parameter language: the language of the labels.
  public func json(in language: Language) -> JSON {
    let values = orderedFields.map { template, value -> JSON in
      [
        "key": .string(template.key),
        "label": .string(template.label[language]),
        "value": .string(value),
        "required": .bool(template.required),
        "concealed": .bool(template.concealed),
      ]
    }
    let extra = extraFields.map { field -> JSON in
      ["label": .string(field.label), "value": .string(field.value), "concealed": .bool(field.concealed)]
    }
    return .object(
      head + [
        .init("fields", .array(values)), .init("extraFields", .array(extra)),
        .init("attachments", .array(attachments.map(\.json))),
      ])
  }

  private var head: [JSON.Member] {
    [
      .init("id", .string(id.description)),
      .init("revision", .integer(Int(revision))),
      .init("title", .string(title)),
      .init("group", .string(group.rawValue)),
      .init("type", .string(type.rawValue)),
      .init("tags", .array(tags.map(JSON.string))),
      .init("pinned", .bool(pinned)),
      .init("createdAt", .string(createdAt.description)),
      .init("modifiedAt", .string(modifiedAt.description)),
    ]
  }
}

extension Localized {
  /// Both languages, as `{en, zh-Hans}`.
  public var json: JSON {
    ["en": .string(english), "zh-Hans": .string(simplifiedChinese)]
  }
}

extension Issue {
  /// One thing that is wrong, as `{field, code, message, messages}`.
  ///
  /// - Parameter language: the language of `message`.
  public func json(in language: Language) -> JSON {
    [
      "field": .string(field),
      "code": .string(code.rawValue),
      "message": .string(message[language]),
      "messages": message.json,
    ]
  }
}
