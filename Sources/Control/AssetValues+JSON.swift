import PhotoModel

extension AssetRow: JSONListed {
    func write(to object: JSONText) throws {
        object.member("addedDate", addedDate)
        try object.member("burst", ifPresent: burst)
        object.member("creationDate", creationDate)
        object.member("creationDateSource", creationDateSource)
        try object.member("facts", ifPresent: facts)
        object.member("isInCloud", isInCloud)
        object.member("isPinned", isPinned)
        object.member("localIdentifier", localIdentifier.description)
        object.member("mediaType", mediaType)
        object.member("modificationDate", modificationDate)
        object.member("originalFilename", originalFilename)
        try object.member("originalFilenameBase64", ifPresent: originalFilenameBase64)
        try object.member("pinnedUntil", ifPresent: pinnedUntil)
        try object.member("resources", resources)
        try object.member("smartAlbums", ifPresent: smartAlbums)
        object.member("state", state)
        try object.member("trashing", ifPresent: trashing)
        try object.member("unreadable", ifPresent: unreadable)
    }
}

extension ResourceRow: JSONListed {
    func write(to object: JSONText) throws {
        object.member("originalFilename", originalFilename)
        try object.member("originalFilenameBase64", ifPresent: originalFilenameBase64)
        try object.member("pairing", ifPresent: pairing)
        try object.member("sources", ifPresent: sources)
        object.member("type", type)
        try object.member("versions", versions)
    }
}

extension VersionRow: JSONListed {
    func write(to object: JSONText) throws {
        object.member("addedDate", addedDate)
        object.member("byteCount", byteCount)
        object.member("condition", condition)
        object.member("contentType", contentType)
        object.member("fileExtension", fileExtension)
        try object.member("isDoubted", ifPresent: isDoubted)
        object.member("residency", residency)
        object.member("sha256", sha256.hexadecimal)
        try object.member("transfer", ifPresent: transfer)
    }
}
