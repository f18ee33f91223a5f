package import Platform

extension FileVerbs {
    /// What stands at `path`; nil where nothing does.
    package func statusIfPresent(at path: [UInt8], in directory: OpenFile) throws(FileError) -> FileStatus? {
        do throws(FileError) {
            return try status(at: path, in: directory)
        } catch  where error.isAbsence {
            return nil
        }
    }
}
