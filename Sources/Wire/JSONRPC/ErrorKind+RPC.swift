extension ErrorKind {
  /// Errors with the codes of JSON-RPC 2.0, section 5.1, or of LSP 3.17 for -32002, -32803 and -32800.
  package static let rpc: [ErrorKind] = [
    ErrorKind("rpc.notInitialized", -32002, "{problem}", "{problem}"),
    ErrorKind("rpc.frameTooLarge", -32600, "The message is longer than 32 MiB.", "消息超过 32 MiB。"),
    ErrorKind("rpc.invalidRequest", -32600, "{problem}", "{problem}"),
    ErrorKind(
      "rpc.nestingTooDeep", -32600, "Arrays and objects nest deeper than 128 levels.", "数组和对象的嵌套超过 128 层。"),
    ErrorKind(
      "rpc.methodNotFound", -32601, exitStatus: 11, "There is no method \"{method…}\".", "没有名为“{method…}”的方法。"
    ),
    ErrorKind(
      "rpc.invalidParameters", -32602, exitStatus: 9, "{problem}", "{problem}",
      data: [
        "parameter?":
          "string 1…: The parameter that is wrong, missing or unknown. Absent if the parameters as a whole are wrong.",
        "expected": "string 1…: What was expected, in English.",
      ]),
    ErrorKind("rpc.internalError", -32603, "Something went wrong inside QuickVault.", "随取内部出错。"),
    ErrorKind("rpc.parseError", -32700, "This is not valid JSON in UTF-8.", "这不是有效的 JSON（UTF-8 编码）。"),
    ErrorKind("rpc.cancelled", -32800, "The request was cancelled.", "请求已取消。"),
    ErrorKind(
      "rpc.batchTooLarge", -32803,
      "The responses of this batch are longer than 32 MiB; this request was not executed.",
      "该批量请求的响应超过 32 MiB，此请求未执行。"),
    ErrorKind("rpc.responseTooLarge", -32803, "The response would be longer than 32 MiB.", "响应超过 32 MiB。"),
  ]
}
