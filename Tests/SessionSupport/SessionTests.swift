import Testing

/// The suites that unlock a session. They run one test after another: each session takes its share of the process's locked memory,
/// which is not enough for as many as there are tests.
@Suite(.serialized) package enum SessionTests {}

/// The suites of several machines with a vault each, which also run one test after another, beside ``SessionTests``.
@Suite(.serialized) package enum MachineTests {}
