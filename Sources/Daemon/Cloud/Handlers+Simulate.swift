import Cloud
import Control
import PhotoModel
import PhotoStore
import Platform

/// How the simulated store misbehaves, changed while it runs.
extension LibraryService {
    func simulate(_ request: Simulation) async throws -> CloudReport {
        let cloud = try requireCloud()
        let rates = [
            request.errorRate, request.throttleRate, request.breakRate, request.lieRate, request.truncateRate,
            request.corruptRate,
        ]
        guard rates.allSatisfy({ (0...1).contains($0 ?? 0) }) else {
            throw Problem.badRequest("rates are from 0 to 1")
        }
        let waits = [
            request.latencyMilliseconds, request.outageEveryMilliseconds, request.outageForMilliseconds,
            request.listDelayMilliseconds,
        ]
        guard waits.allSatisfy({ (0...86_400_000).contains($0 ?? 0) }), request.bytesPerSecond ?? 0 >= 0,
            request.quotaByteCount ?? 0 >= 0
        else { throw Problem.badRequest("times are from 0 to a day, bandwidth and quota are no less than 0") }
        let spoilt = try await read { catalogue in
            try [request.lose, request.corrupt].map { assets in
                try (assets ?? []).flatMap { try self.existingAsset($0, in: catalogue).contents }
            }
        }
        let wasOffline = cloud.store.faults.isOffline
        cloud.store.faults = request.applied(
            to: request.reset == true ? cloud.state.update { $0.configured.faults } : cloud.store.faults)
        if wasOffline, !cloud.store.faults.isOffline { cloud.noteAnswer() }
        let done = try await cloud.pool.run {
            (
                try spoilt[0].map { try cloud.store.lose(.original($0.hash)) },
                try spoilt[1].map { try cloud.store.corrupt(.original($0.hash)) }
            )
        }
        cloud.wake()
        var report = try await cloudStatus()
        if request.lose != nil || request.corrupt != nil {
            report.spoiltObjects = SpoiltObjects(
                lostCount: done.0.count { $0 }, corruptedCount: done.1.count { $0 },
                absentCount: (done.0 + done.1).count { !$0 })
        }
        return report
    }
}

extension Asset {
    /// Every content that one of its resources had.
    var contents: [Content] { resources.flatMap(\.versions).map(\.content) }
}

extension Simulation {
    init(_ faults: SimulatedFaults) {
        self.init()
        isOffline = faults.isOffline
        latencyMilliseconds = faults.latency.milliseconds
        outageEveryMilliseconds = faults.outage?.up.milliseconds ?? 0
        outageForMilliseconds = faults.outage?.down.milliseconds ?? 0
        listDelayMilliseconds = faults.listDelay.milliseconds
        (bytesPerSecond, quotaByteCount) = (faults.bytesPerSecond ?? 0, faults.quotaBytes ?? 0)
        (errorRate, throttleRate, breakRate) = (faults.errorRate, faults.throttleRate, faults.breakRate)
        (lieRate, truncateRate, corruptRate) = (faults.lieRate, faults.truncateRate, faults.corruptRate)
    }

    /// What is left out stays.
    func applied(to faults: SimulatedFaults) -> SimulatedFaults {
        var faults = faults
        faults.isOffline = isOffline ?? faults.isOffline
        faults.latency = latencyMilliseconds.map { .milliseconds($0) } ?? faults.latency
        faults.listDelay = listDelayMilliseconds.map { .milliseconds($0) } ?? faults.listDelay
        faults.outage = outage(before: faults.outage)
        if let bytesPerSecond { faults.bytesPerSecond = bytesPerSecond > 0 ? bytesPerSecond : nil }
        if let quotaByteCount { faults.quotaBytes = quotaByteCount > 0 ? quotaByteCount : nil }
        faults.errorRate = errorRate ?? faults.errorRate
        faults.throttleRate = throttleRate ?? faults.throttleRate
        faults.breakRate = breakRate ?? faults.breakRate
        faults.lieRate = lieRate ?? faults.lieRate
        faults.truncateRate = truncateRate ?? faults.truncateRate
        faults.corruptRate = corruptRate ?? faults.corruptRate
        return faults
    }

    private func outage(before: SimulatedFaults.Outage?) -> SimulatedFaults.Outage? {
        let up = outageEveryMilliseconds.map { Duration.milliseconds($0) } ?? before?.up ?? .zero
        let down = outageForMilliseconds.map { Duration.milliseconds($0) } ?? before?.down ?? .zero
        return down > .zero ? SimulatedFaults.Outage(up: up, down: down) : nil
    }
}

extension Duration {
    /// Whole ones.
    fileprivate var milliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}
