import CLinux

/// Names of files that are not in use.
package enum NewName {
  /// Renames a file; one of the new name is not replaced.
  ///
  /// - Returns: whether it succeeded; otherwise `errno` says why, which is `EEXIST` for a name in use.
  package static func give(_ path: String, to file: String) -> Bool {
    unsafe linux_rename_to_new(file, path) == 0
  }
}
