/// Which zone a wall clock was in that did not say so, and what proves it.
package struct ZoneProof: Hashable, Sendable, Codable {
    /// Seconds that the wall clock was ahead of UTC.
    package var offset: Int
    package var kind: Kind
    /// The assets that prove it; none where the photo does so itself.
    package var witnesses: [LocalIdentifier]
    /// What the wall clock says: another time would need another proof.
    package var localTime: CivilTime

    package init(offset: Int, kind: Kind, witnesses: [LocalIdentifier] = [], localTime: CivilTime) {
        self.offset = offset
        self.kind = kind
        self.witnesses = witnesses
        self.localTime = localTime
    }

    package enum Kind: String, Sendable, Codable, CaseIterable {
        /// The satellites' time in the photo itself, which is UTC.
        case gps
        /// The other half of a Live Photo, which says its zone.
        case pair
        /// The photos before and after it in one album, of one camera, whose zones are known and the same.
        case neighbours
    }
}

extension AssetFacts {
    /// The same with this proof and no other; the wall clock stays what it is.
    ///
    /// Without proof where it is for another time, or the file says the zone itself.
    package func withZone(_ proof: ZoneProof?) -> AssetFacts {
        var facts = self
        if let known = zoneProof, case .zoned(let time, known.offset)? = captureDate?.moment, time == known.localTime {
            facts.captureDate?.moment = .local(time)
        }
        facts.zoneProof = nil
        guard let proof, case .local(proof.localTime)? = facts.captureDate?.moment else { return facts }
        facts.captureDate?.moment = .zoned(proof.localTime, offset: proof.offset)
        facts.zoneProof = proof
        return facts
    }
}

extension FactsChange {
    /// The change that gives an asset this proof, or takes its proof away, and its creation date with it.
    package func withZone(_ proof: ZoneProof?) -> FactsChange {
        FactsChange(
            of: localIdentifier, hash: hash, facts: facts.withZone(proof), creationDate: creationDate,
            creationDateSource: creationDateSource)
    }
}
