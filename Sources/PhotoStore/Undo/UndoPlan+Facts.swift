import PhotoModel

/// The zones of capture dates, which are the one thing of facts that a person decides.
extension UndoPlan {
    mutating func undoZones() {
        for asset in scope.facts.sorted() {
            guard let after = basis.after.facts[asset], let now = basis.now.facts[asset] else { continue }
            guard let before = basis.before.facts[asset], before.facts.zoneProof != after.facts.zoneProof else {
                remarks.append("asset \(asset) keeps its facts: they are what its file says")
                continue
            }
            guard now.facts.zoneProof == after.facts.zoneProof, now.hash == after.hash else {
                remarks.append("asset \(asset) keeps its zone: its date was decided again since")
                continue
            }
            requests.append(.setFacts(now.withZone(before.facts.zoneProof)))
        }
    }
}
