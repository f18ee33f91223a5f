package import PhotoModel
package import Platform

/// Whether a source's file is no longer at its path below the root of its folder.
func isVacant(_ source: Source, beneath root: OpenFile, files: any FileVerbs) -> Bool {
    do throws(FileError) {
        let status = try files.status(at: source.key.path.bytes, in: root)
        return source.evidence.map { !$0.isSameFile(as: SourceEvidence(status)) } ?? false
    } catch {
        return error.isAbsence
    }
}

/// Whether no file is at the path; what cannot be told is no absence.
package func isAbsent(_ key: SourceKey, beneath root: OpenFile, files: any FileVerbs) -> Bool {
    do throws(FileError) {
        return try files.status(at: key.path.bytes, in: root).kind == .directory
    } catch {
        return error.isAbsence
    }
}
