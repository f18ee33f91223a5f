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

    /// Does it; returns what is to be printed.
    func run() throws -> String {
        let simulated = try simulatedStore()
        let store = RetryingStore(simulated, machine: machine, patience: .seconds(600)) {
            Self.rest($0)
            return true
        }
        let report = try CloudRestore(from: store, isPartial: isPartial, machine: machine).restore(
            to: configuration.library, executor: ThreadExecutor(name: "albumd-library"), progress: progress)
        if isJSON { return String(decoding: JSON.encode(report), as: UTF8.self) + "\n" }
        return lines(report).joined(separator: "\n") + "\n"
    }

    private func lines(_ report: RestoreReport) -> [String] {
        let (missing, lost, skipped) = (report.missing, report.lostChanges, report.skippedRequests)
        let objects = report.damagedObjects
        return [
            "Back, up to change \(report.token): \(counted(report.assets, "asset")), \(counted(report.albums, "album")).",
            "\(counted(report.originals, "original", one: "is", many: "are")) in the cloud, and fetched on demand.",
            missing == 0
                ? nil : "\(counted(missing, "original")) never came to the cloud: albumctl repair names their sources.",
            lost == 0
                ? nil
                : "\(counted(lost, "change", one: "is", many: "are")) lost: the cloud had them, and has them no more.",
            objects.isEmpty
                ? nil : "Damaged or not there in the cloud: \(objects.map { printable($0) }.joined(separator: ", ")).",
            skipped == 0 ? nil : "\(counted(skipped, "request")) could not be applied: what they build on is lost.",
            lost + skipped == 0
                ? nil
                : "Originals of lost changes are in the cloud still; files that are still in their folders are taken again.",
        ].compactMap { $0 }
    }

    /// Nothing is made for it: a store that is not there has no library.
    private func simulatedStore() throws -> SimulatedStore {
        let path = configuration.cloud.directory(besideLibrary: configuration.library)
        do throws(FileError) {
            _ = try machine.files.openDirectory(path)
            return try CloudService.simulatedStore(
                configuration.cloud, library: configuration.library, machine: machine, pause: Self.rest)
        } catch  where error.isAbsence {
            throw MirrorError.noStore(path: printable(path))
        }
    }

    private static func rest(_ duration: Duration) {
        _ = Monitor(()).wait(for: duration) { _ in Void?.none }
    }

    /// On stderr, so that the report stays readable to a program.
    private var progress: RebuildProgress {
        { done, all in
            guard !isJSON, done == all || done.isMultiple(of: 10_000) else { return }
            Daemon.write("albumd: \(done) of \(counted(all, "change")) applied\n", to: STDERR_FILENO)
        }
    }
}
