import Glibc
import PhotoModel

/// Whether anything is at that path now, a broken symlink included (lstat(2)); what may not be seen counts as there.
func isThere(_ path: PathBytes) -> Bool {
    var status = stat()
    return path.bytes.withCPath { lstat($0, &status) } == 0 || errno != ENOENT && errno != ENOTDIR
}
