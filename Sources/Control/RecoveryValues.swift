/// `POST /v1/cloud/recover`.
package struct RecoveryRequest: Codable, Sendable, Equatable {
    /// Only say what would come back.
    package var isDryRun: Bool?

    package init(isDryRun: Bool?) { self.isDryRun = isDryRun }
}
