import Cloud
import Control
import Glibc
import PhotoModel
import PhotoStore
import Platform

/// `albumd restore --from-cloud`: an empty directory becomes the library that the store has.
struct RestoreCommand {
    let configuration: Configuration
    let isPartial: Bool
    let isJSON: Bool
    let machine: Machine

    /// Does it; returns what is to be printed, and whether everything came back.
    func run() throws -> (text: String, isWhole: Bool) {
        let isJSON = isJSON
        let wait = RestoreWait(
            uptime: machine.uptime, pause: { duration in _ = Monitor(()).wait(for: duration) { _ in Void?.none } },
            tell: { text in if !isJSON { Daemon.write("albumd: \(text)\n", to: STDERR_FILENO) } })
        let simulated = try simulatedStore(wait)
        let store = RetryingStore(simulated, machine: machine, patience: RestoreWait.patience) {
            wait.rest($0, because: $1)
            return true
        }
        let telling = RestoreTelling(isJSON: isJSON, uptime: machine.uptime)
        let report = try CloudRestore(from: store, isPartial: isPartial, machine: machine).restore(
            to: configuration.library, executor: ThreadExecutor(name: "albumd-library"),
            progress: { telling.tell($0, $1, $2) })
        if isJSON {
            let end = StreamLine<RestoreTelling.Row, RestoreEnd>.end(RestoreEnd(report))
            return (String(decoding: JSON.encode(end), as: UTF8.self) + "\n", report.isWhole)
        }
        return (lines(report).joined(separator: "\n") + "\n", report.isWhole)
    }

    private func lines(_ report: RestoreReport) -> [String] {
        let (missing, lost, skipped) = (report.missing, report.lostChanges, report.skippedRequests)
        let objects = report.damagedObjects
        return [
            "Back, up to change \(report.token): \(counted(report.assets, "asset")), \(counted(report.albums, "album")).",
            "\(counted(report.originals, "original", one: "is", many: "are")) in the cloud by what it lists, and fetched on demand; albumctl cloud verify asks for the hash of each.",
            report.denied == 0
                ? nil
                : "\(counted(report.denied, "original")) should be there, and the cloud has not the bytes: it is asked once more "
                    + "when albumd runs, and then they are lost. Is it an older copy of the cloud?"
                    + names(of: .denied, report.denied, in: report),
            missing == 0
                ? nil
                : "\(counted(missing, "original")) never came to the cloud: albumctl repair names their sources."
                    + names(of: .missing, missing, in: report),
            lost == 0
                ? nil
                : "\(counted(lost, "change", one: "is", many: "are")) lost: the cloud had them, and has them no more.",
            objects.isEmpty
                ? nil : "Damaged or not there in the cloud: \(objects.map { printable($0) }.joined(separator: ", ")).",
            skipped == 0 ? nil : "\(counted(skipped, "request")) could not be applied: what they build on is lost.",
            lost + skipped == 0
                ? nil
                : "What lost changes named may be in the cloud still: status says so once albumd runs, and albumctl cloud recover "
                    + "makes photos of it. Files that are still in their folders are taken again by themselves.",
        ].compactMap { $0 }
    }

    private func names(of reason: LackingOriginal.Reason, _ count: Int, in report: RestoreReport) -> String {
        report.names(of: reason, count: count).map { "\n" + $0 }.joined()
    }

    /// Nothing is made for it: a store that is not there has no library.
    private func simulatedStore(_ wait: RestoreWait) throws -> SimulatedStore {
        let path = configuration.cloud.directory(besideLibrary: configuration.library)
        do throws(FileError) {
            _ = try machine.files.openDirectory(path)
            return try CloudService.simulatedStore(
                configuration.cloud, library: configuration.library, machine: machine, pause: { wait.rest($0) })
        } catch  where error.isAbsence {
            throw MirrorError.noStore(path: printable(path))
        }
    }
}

/// What to do about a restore that failed, where the error itself does not say it.
func fixOfRestore(_ error: any Error) -> String? {
    switch error {
    case MirrorError.empty: "name the cloud that the library had below [cloud] in the configuration"
    case MirrorError.notEmpty(let path):
        "start albumd, where that library is whole; else put it aside, with what only it has, and the cloud makes its own anew: mv \(shellWord(path)) \(shellWord(path + ".before")) && albumd restore --from-cloud"
    case MirrorError.damaged:
        "put the object back from a copy of the cloud; library/identity is one line, the library identifier that stands in a folder's .albumd-folder"
    case MirrorError.vanished: "mount its volume, or name the right directory below [cloud] in the configuration"
    case is ObjectStoreError:
        "see that the cloud can be reached, and that albumd may read there; this goes on then: albumd restore --from-cloud"
    default: nil
    }
}
