import CLinux
import Glibc

/// Who else has the file, and which file it is.
extension LinuxFiles {
    package func takeLease(_ file: OpenFile) throws(FileError) -> Lease {
        do {
            try result(of: "fcntl(F_SETLEASE)") { linux_take_read_lease(file.descriptor) }
            return .granted
        } catch  where error.code == EAGAIN {
            return .writerPresent
        } catch  where [EACCES, EPERM, EINVAL, EOPNOTSUPP, ENOLCK].contains(error.code) {
            return .unavailable
        }
    }

    /// While a break is under way F_GETLEASE names what the lease must become, which is no read lease (fcntl(2)).
    package func holdsLease(_ file: OpenFile) -> Bool { linux_holds_read_lease(file.descriptor) }

    package func dropLease(_ file: OpenFile) {
        // Fails only where no lease is left to drop.
        _ = linux_drop_lease(file.descriptor)
    }

    package func isOpenElsewhere(_ file: OpenFile) throws(FileError) -> Bool {
        do {
            try result(of: "fcntl(F_SETLEASE)") { linux_take_write_lease(file.descriptor) }
            dropLease(file)
            return false
        } catch  where error.code == EAGAIN {
            return true
        } catch  where [EACCES, EPERM, EINVAL, EOPNOTSUPP, ENOLCK].contains(error.code) {
            return false
        }
    }

    package func lock(_ file: OpenFile) throws(FileError) -> Bool {
        do {
            try result(of: "flock") { linux_try_lock(file.descriptor) }
            return true
        } catch  where error.code == EWOULDBLOCK {
            return false
        }
    }

    package func handle(of file: OpenFile) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 256)
        let length = linux_handle(file.descriptor, &buffer, buffer.count)
        return length < 0 ? nil : Array(buffer.prefix(Int(length)))
    }
}
