import PhotoModel

/// What ties two files of one directory and one number by what they say themselves: `IMG_1`, and its edit `IMG_E1`.
///
/// Each is asked of two files alone, so that the answer is the same whichever of them came first, and whatever lies
/// beside them.
extension CandidateFile {
    /// The place of the original where this is an edit's name, else its own.
    var numberedPlace: Place {
        guard let stem = name.stem.numberedName(without: "E") else { return place }
        return Place(directory: directory, stem: stem)
    }

    /// Whether it has the name of an edit of files at a place.
    func isNamedAsEdit(of place: Place) -> Bool { numberedPlace == place && self.place != place }

    func sharesIdentifier(with other: CandidateFile) -> Bool {
        facts.contentIdentifier != nil && facts.contentIdentifier == other.facts.contentIdentifier
    }

    /// Why a movie is not of a picture of its number; nil where it is.
    ///
    /// An identifier on one side alone is completed by camera and moment: a RAW has none, nor what some programs write.
    /// The identifiers of an edit and of its original may differ.
    func doubtAsMovie(of picture: CandidateFile) -> NearMiss.Reason? {
        if sharesIdentifier(with: picture) { return nil }
        let identifiers = [self, picture].compactMap(\.facts.contentIdentifier)
        if identifiers.isEmpty { return .noContentIdentifier }
        if identifiers.count == 2, place == picture.place { return .otherContentIdentifier }
        return facts.isOfMoment(of: picture.facts) ? nil : .noContentIdentifier
    }

    /// Why a RAW of a picture's name is not its own; nil where it is.
    func doubtAsRAW(of picture: CandidateFile) -> NearMiss.Reason? {
        sharesIdentifier(with: picture) ? nil : facts.doubtOfSameShutter(as: picture.facts)
    }

    /// Why an edit by its name is not of the original of that number; nil where it is.
    func doubtAsEdit(of original: CandidateFile) -> NearMiss.Reason? {
        sharesIdentifier(with: original) ? nil : facts.doubtOfEdit(of: original.facts)
    }

    /// Whether two files of one number show one exposure by more than their names.
    func isSurelyOne(with other: CandidateFile) -> Bool {
        if sharesIdentifier(with: other) { return true }
        switch (isVideo, other.isVideo) {
        case (true, false): return doubtAsMovie(of: other) == nil
        case (false, true): return other.doubtAsMovie(of: self) == nil
        case (false, false): return facts.doubtOfSameShutter(as: other.facts) == nil
        case (true, true): return false
        }
    }
}
