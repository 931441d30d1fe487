import Testing

/// The suites that unlock a session. They run one test after another: each session takes its share of the process's locked memory,
/// which is enough for one.
@Suite(.serialized) package enum SessionTests {}
