package import PhotoModel

/// Whether two files show what one shutter saw.
extension AssetFacts {
    /// Whether changed bytes are an edit of the same photograph: capture date and camera agree (RULES R19).
    ///
    /// Nil where one of the two is not known of one of them: a program that edits may have thrown them away.
    package func isSamePhotograph(as other: AssetFacts) -> Bool? {
        switch doubtOfSameShutter(as: other) {
        case nil: true
        // One thing that is known of both and differs is enough.
        case .notEnoughFacts: doubtOfEdit(of: other) == nil ? nil : false
        default: false
        }
    }

    /// Nil where the shutter opened once for both.
    func doubtOfSameShutter(as other: AssetFacts) -> NearMiss.Reason? {
        guard let mine = camerasDate, let theirs = other.camerasDate, let model = camera?.model,
            let otherModel = other.camera?.model, let isSameSecond = mine.agrees(with: theirs)
        else { return .notEnoughFacts }
        guard isSameSecond else { return .otherCaptureDate }
        return isOneModel(model, otherModel) ? nil : .otherCamera
    }

    /// Whether a movie was taken round the shutter of a picture, with its camera.
    ///
    /// A Live Photo begins a second and a half before it, in whole seconds. The wall clocks are enough: of one shot a
    /// RAW may say another zone than a movie.
    func isOfMoment(of picture: AssetFacts) -> Bool {
        guard let mine = camerasDate, let theirs = picture.camerasDate, let model = camera?.model,
            let otherModel = picture.camera?.model
        else { return false }
        return isOneModel(model, otherModel) && mine.isNear(theirs)
    }

    /// Nil where nothing says that they are two photos.
    func doubtOfEdit(of other: AssetFacts) -> NearMiss.Reason? {
        if let mine = camerasDate, let theirs = other.camerasDate, mine.agrees(with: theirs) == false {
            return .otherCaptureDate
        }
        guard let model = camera?.model, let otherModel = other.camera?.model else { return nil }
        return isOneModel(model, otherModel) ? nil : .otherCamera
    }

    /// A date that the camera wrote when it took the picture: not a program's, and not a movie's header, which is
    /// written anew with every copy.
    private var camerasDate: CaptureDate? {
        guard let date = captureDate, date.source.isInFile, date.source != .dateTime, date.source != .movieCreationTime
        else { return nil }
        return date
    }
}

extension CaptureDate {
    private static let closeness = 3_000_000

    /// By the instants or by the wall clocks.
    fileprivate func isNear(_ other: CaptureDate) -> Bool {
        guard precision == .second, other.precision == .second else { return false }
        let instants = [self, other].compactMap { $0.instant?.microseconds }
        let clocks = [self, other].compactMap { $0.localTime?.microseconds }
        return [instants, clocks].contains { $0.count == 2 && abs($0[0] - $0[1]) <= Self.closeness }
    }
}

/// Readers of RAW leave the maker out: `EOS 6D` is `Canon EOS 6D`.
private func isOneModel(_ one: String, _ other: String) -> Bool {
    let (one, other) = (one.lowercased(), other.lowercased())
    return one == other || one.hasSuffix(" \(other)") || other.hasSuffix(" \(one)")
}
