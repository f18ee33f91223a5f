import PhotoModel

/// Why a file is where it is, as `why` says it: a sentence without its subject.
extension Pairing {
    package var words: String {
        switch self {
        case .contentIdentifier(let identifier):
            "is the movie of a Live Photo: picture and movie carry the content identifier \(identifier)"
        case .sameFile: "is the movie of a motion photo, inside the picture's file"
        case .sameShutter:
            "is the RAW of the picture: same folder and name, and the same second and camera or identifier"
        case .sameMoment:
            "is the movie of a Live Photo: picture and movie have one folder, number, camera and moment, and one of them "
                + "carries a content identifier"
        case .edit: "is the edited form of the original of the same number beside it"
        case .sidecar(.xmp): "is an XMP sidecar, tied to the photo by its name"
        case .sidecar(.takeout): "is Google Takeout's sidecar, tied to the photo by its name"
        case .sidecar(.adjustment): "is the recipe of an edit, tied to the photo by its name"
        case .settled: "was of this asset before, and stays"
        }
    }
}

extension NearMiss.Reason {
    package var words: String {
        switch self {
        case .noContentIdentifier:
            "has the picture's name, but no content identifier was read of both: a name alone makes no Live Photo"
        case .otherContentIdentifier: "has the picture's name, but carries another content identifier"
        case .companionTaken: "could belong to it, but that has a companion of this kind already"
        case .othersDoNot: "could belong to it, but is together with a file that does not"
        case .otherCaptureDate: "has its name, but was taken in another second"
        case .otherCamera: "has its name, but was taken with another camera"
        case .notEnoughFacts: "has its name, but nothing says that both were taken in one second with one camera"
        case .ambiguousName: "is a sidecar whose name means several files alike"
        case .bothAreAssets: "belongs to it, but both are assets of their own already, and stay two"
        }
    }
}

extension AwaitedCompanion {
    package var words: String {
        switch self {
        case .movie(let identifier): "the movie of the Live Photo with the content identifier \(identifier)"
        case .picture(let identifier): "the picture of the Live Photo with the content identifier \(identifier)"
        case .described: "the photo or video that the sidecar is named after"
        }
    }
}
