import CFloors

/// CLOCK_MONOTONIC, in nanoseconds.
func now() -> Int64 {
  floor_now()
}
