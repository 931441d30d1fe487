import Testing

/// All suites of this room, one test after another: every unlocked session takes its share of the process's locked
/// memory, which is made for one session and not for as many as there are tests.
@Suite(.serialized) package enum SessionTests {}
