/// A type that is an object in JSON. Its members are described once, for reading and writing.
///
/// ```swift
/// struct Written: JSONObject {
///   var path: String
///   var size: Int?
///
///   static let coder = ObjectCoder(Self.init, .required("path", \.path), .optional("size", \.size))
/// }
/// ```
package protocol JSONObject: JSONCodable {
  /// Reads and writes the members.
  static var coder: ObjectCoder<Self> { get }
}

extension JSONObject {
  /// Reads an object, in which an unknown member is an error.
  package static func read(_ value: JSON, at path: String) throws(ParameterError) -> Self {
    var members = try Parameters(value, at: path)
    let object = try coder.read(&members)
    try members.finish()
    return object
  }

  package var json: JSON {
    var members: [JSON.Member] = []
    Self.coder.write(self, &members)
    return .object(members)
  }
}

/// An object in an answer. Reading it skips unknown members: a newer program may send more.
package protocol ResultObject: JSONObject {}

extension ResultObject {
  package static func read(_ value: JSON, at path: String) throws(ParameterError) -> Self {
    var members = try Parameters(value, at: path)
    return try coder.read(&members)
  }
}

/// Reads and writes the members of an object.
package struct ObjectCoder<Object>: Sendable {
  package let read: @Sendable (inout Parameters) throws(ParameterError) -> Object
  package let write: @Sendable (Object, inout [JSON.Member]) -> Void

  /// Creates a coder for an object that is more than its members one by one, such as one of several forms.
  package init(
    read: @escaping @Sendable (inout Parameters) throws(ParameterError) -> Object,
    write: @escaping @Sendable (Object, inout [JSON.Member]) -> Void
  ) {
    self.read = read
    self.write = write
  }

  /// - Parameters:
  ///   - make: makes the object of the values of its members.
  ///   - member: the members, in the order in which they are read and written.
  package init<each Value>(
    _ make: @escaping @Sendable (repeat each Value) -> Object,
    _ member: repeat MemberCoder<Object, each Value>
  ) {
    var (count, write) = (0, Self.writesNothing)
    for member in repeat each member {
      count += 1
      write = Self.chain(write, member.write)
    }
    self.init(
      read: { parameters throws(ParameterError) in make(repeat try (each member).read(&parameters)) },
      write: { [count, write] object, members in
        members.reserveCapacity(members.count + count)
        write(object, &members)
      })
  }

  /// Creates a coder for an object whose members are there only if a flag among them is true.
  ///
  /// - Parameters:
  ///   - flag: the member that says whether the others are there.
  ///   - make: makes the object of the others; of nil if the flag is false.
  ///   - details: the others; nil if the flag is false.
  package init<Details: JSONObject>(
    flag: String, _ make: @escaping @Sendable (Details?) -> Object,
    _ details: @escaping @Sendable (Object) -> Details?
  ) {
    self.init(
      read: { members throws(ParameterError) in
        let hasDetails: Bool = try members.required(flag)
        return make(hasDetails ? try Details.coder.read(&members) : nil)
      },
      write: { object, members in
        let details = details(object)
        members.append(.init(flag, .bool(details != nil)))
        if let details { Details.coder.write(details, &members) }
      })
  }

  private typealias Writer = @Sendable (Object, inout [JSON.Member]) -> Void

  private static var writesNothing: Writer { { _, _ in } }

  /// Chains two writers. An array of functions would make generic code look up its type at each use.
  private static func chain(_ first: @escaping Writer, _ second: @escaping Writer) -> Writer {
    { object, members in
      first(object, &members)
      second(object, &members)
    }
  }
}

/// Reads and writes one member of an object, or several that belong together.
package struct MemberCoder<Object, Value>: Sendable {
  /// Returns a member of the object; written as a key path, such as `\.title`.
  package typealias Getter<Member> = @Sendable (Object) -> Member

  package let read: @Sendable (inout Parameters) throws(ParameterError) -> Value
  package let write: @Sendable (Object, inout [JSON.Member]) -> Void

  /// Refuses values that do not meet a condition.
  package func checked(
    _ name: String, _ expectation: ParameterError.Expectation,
    _ isValid: @escaping @Sendable (Value) -> Bool
  ) -> Self {
    Self(
      read: { parameters throws(ParameterError) in
        parameters.note(name, expectation)
        let value = try read(&parameters)
        guard isValid(value) else { throw ParameterError(parameters.place(of: name), expectation) }
        return value
      },
      write: write)
  }

  /// A member that is left out if it is nil.
  package static func optional<Wrapped: JSONCodable>(_ name: String, _ get: @escaping Getter<Wrapped?>)
    -> Self
  where Value == Wrapped? {
    Self(
      read: { parameters throws(ParameterError) in try parameters.optional(name) },
      write: { object, members in
        if let value = get(object) { members.append(.init(name, value.json)) }
      })
  }

  /// A member that is left out if it is nil, and whose null means something else.
  package static func present<Wrapped: JSONCodable>(_ name: String, _ get: @escaping Getter<Wrapped?>) -> Self
  where Value == Wrapped? {
    Self(
      read: { parameters throws(ParameterError) in try parameters.present(name) },
      write: Self.optional(name, get).write)
  }

  /// A member that is null if it is nil.
  package static func nullable<Wrapped: JSONCodable>(_ name: String, _ get: @escaping Getter<Wrapped?>)
    -> Self
  where Value == Wrapped? {
    Self(
      read: { parameters throws(ParameterError) in try parameters.optional(name) },
      write: { object, members in members.append(.init(name, get(object).json)) })
  }

  /// An integer that is left out if it is nil.
  package static func integer(_ name: String, _ get: @escaping Getter<Int?>, in range: ClosedRange<Int>)
    -> Self
  where Value == Int? {
    Self(
      read: { parameters throws(ParameterError) in try parameters.integer(name, in: range) },
      write: Self.optional(name, get).write)
  }

  /// An integer that is left out if it has its default value.
  package static func integer(
    _ name: String, _ get: @escaping Getter<Int>, in range: ClosedRange<Int>, default value: Int
  ) -> Self where Value == Int {
    Self(
      read: { parameters throws(ParameterError) in
        parameters.recorder?(.init(name: name, initial: .integer(value)))
        return try parameters.integer(name, in: range) ?? value
      },
      write: Self.member(name, get, default: value).write)
  }
}

extension MemberCoder where Value: JSONCodable {
  package static func required(_ name: String, _ get: @escaping Getter<Value>) -> Self {
    Self(
      read: { parameters throws(ParameterError) in try parameters.required(name) },
      write: { object, members in members.append(.init(name, get(object).json)) })
  }
}

extension MemberCoder where Value: JSONCodable {
  /// A member that is always written, and has its default value if it is missing.
  package static func always(_ name: String, _ get: @escaping Getter<Value>, default value: Value) -> Self {
    Self(
      read: { parameters throws(ParameterError) in try parameters.optional(name, default: value) },
      write: Self.required(name, get).write)
  }
}

extension MemberCoder where Value: JSONCodable & Equatable {
  /// A member that is left out if it has its default value.
  package static func member(_ name: String, _ get: @escaping Getter<Value>, default value: Value) -> Self {
    Self(
      read: { parameters throws(ParameterError) in try parameters.optional(name, default: value) },
      write: { object, members in
        let present = get(object)
        if present != value { members.append(.init(name, present.json)) }
      })
  }
}

extension MemberCoder where Value: JSONObject {
  /// The members of another type, without an object of their own.
  package static func members(_ get: @escaping Getter<Value>) -> Self {
    Self(
      read: Value.coder.read,
      write: { object, members in Value.coder.write(get(object), &members) })
  }
}
