import CInotifyTools
import Glibc
package import Platform

/// The two calls that libinotifytools is passed by for; a test can make them fail.
package struct WatchCalls: Sendable {
    /// Watches a directory by its descriptor; throws the errno of inotify_add_watch(2).
    package var add: @Sendable (_ instance: Int32, _ directory: OpenFile) throws(FileError) -> Int32
    /// Ends a watch.
    ///
    /// An error means that it has ended already, and stops nothing (W21).
    package var end: @Sendable (_ instance: Int32, _ watch: Int32) -> Void

    package init(
        add: @escaping @Sendable (Int32, OpenFile) throws(FileError) -> Int32,
        end: @escaping @Sendable (Int32, Int32) -> Void
    ) {
        self.add = add
        self.end = end
    }

    package static let linux = WatchCalls(
        add: { instance, directory throws(FileError) in
            // By descriptor, so that no rename, symlink or long path comes between. The dot lets IN_DONT_FOLLOW pass
            // the magic link of proc(5).
            let path = "/proc/self/fd/\(directory.descriptor)/."
            let watch = inotify_add_watch(instance, path, EventMask.watched.rawValue)
            guard watch >= 0 else { throw FileError(code: errno, verb: "inotify_add_watch") }
            return watch
        },
        end: { instance, watch in _ = inotify_rm_watch(instance, watch) })
}
