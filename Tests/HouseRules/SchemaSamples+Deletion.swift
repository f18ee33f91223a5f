import Control
import FoundationEssentials
import PhotoModel

private let date = Date(microseconds: 0)
private let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
let trashing = Trashing(date: date, reason: .sourceDeleted, folder: uuid, runningSeconds: 0)

private func row(_ name: PathBytes, _ trashing: Trashing?) -> TrashRow {
    let asset = Asset(
        localIdentifier: LocalIdentifier(uuid), mediaType: .image, creationDate: date, creationDateSource: .given,
        addedDate: date, modificationDate: date, state: .trashed, trashing: trashing,
        resources: [Resource(type: .photo, originalFilename: name, versions: [])])
    return TrashRow(asset, folder: trashing.map { _ in PathBytes("/a") }, daysLeft: trashing.map { _ in 1 })
}

private let held = HeldRow(token: "t", folder: "/a", since: date, count: 1, paths: [])

/// The values of the API that are about deletion.
let deletionSamples: [SchemaSample] = [
    SchemaSample(
        "AssetsRequest", full: AssetsRequest(subjects: [], all: true, isDryRun: true),
        bare: AssetsRequest(subjects: nil)),
    SchemaSample(
        "ConfirmRequest", full: ConfirmRequest(token: "t", isDryRun: true), bare: ConfirmRequest(token: "t")),
    SchemaSample(
        "TrashingRow", full: TrashingRow(trashing),
        bare: TrashingRow(Trashing(date: date, reason: .person, folder: nil, runningSeconds: 0))),
    SchemaSample("TrashRow", full: row(PathBytes([0xFF]), trashing), bare: row(PathBytes("a"), nil)),
    SchemaSample(
        "TrashPage", full: PageOf<TrashRow>(rows: [], next: 1), bare: PageOf<TrashRow>(rows: [], next: nil)),
    SchemaSample(
        "TrashResult",
        full: TrashResult(token: 1, rows: [], freedByteCount: 1, stuckByteCount: 1, cloudByteCount: 1),
        bare: TrashResult(token: nil, rows: [])
    ),
    SchemaSample("HeldRow", full: held),
    SchemaSample("ConfirmResult", full: ConfirmResult(trashedCount: 1, held: held)),
    SchemaSample(
        "DeletionStatus", full: DeletionStatus(expiryDate: date, expiryCount: 1), bare: DeletionStatus()),
]
