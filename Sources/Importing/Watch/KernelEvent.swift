import CInotifyTools

/// One event as the kernel wrote it, copied out of the library's buffer (inotify(7)).
package struct KernelEvent: Sendable, Equatable {
    /// The watch; -1 belongs to an overflow.
    package var watch: Int32
    package var mask: EventMask
    /// Joins the two halves of a rename.
    package var cookie: UInt32
    /// The name in the watched directory; empty where the event is about the directory itself.
    package var name: [UInt8]

    package init(watch: Int32, mask: EventMask, cookie: UInt32 = 0, name: [UInt8] = []) {
        self.watch = watch
        self.mask = mask
        self.cookie = cookie
        self.name = name
    }
}

/// The bits of an event or of a watch, named as in inotify(7).
package struct EventMask: OptionSet, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }
    private init(_ bits: Int32) { rawValue = UInt32(bitPattern: bits) }

    package static let create = EventMask(IN_CREATE)
    package static let closeWrite = EventMask(IN_CLOSE_WRITE)
    package static let modify = EventMask(IN_MODIFY)
    package static let attributes = EventMask(IN_ATTRIB)
    package static let movedFrom = EventMask(IN_MOVED_FROM)
    package static let movedTo = EventMask(IN_MOVED_TO)
    package static let delete = EventMask(IN_DELETE)
    package static let deleteSelf = EventMask(IN_DELETE_SELF)
    package static let moveSelf = EventMask(IN_MOVE_SELF)

    package static let isDirectory = EventMask(IN_ISDIR)
    package static let ignored = EventMask(IN_IGNORED)
    package static let unmount = EventMask(IN_UNMOUNT)
    package static let overflow = EventMask(IN_Q_OVERFLOW)

    /// What every watch asks for, and nothing else: reading must not cause events (R21).
    package static let watched: EventMask = [
        .create, .closeWrite, .modify, .attributes, .movedFrom, .movedTo, .delete, .deleteSelf, .moveSelf,
        EventMask(IN_ONLYDIR), EventMask(IN_DONT_FOLLOW), EventMask(IN_EXCL_UNLINK),
    ]
}
