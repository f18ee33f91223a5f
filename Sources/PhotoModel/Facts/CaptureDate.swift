package import FoundationEssentials

/// When a picture was taken, as exactly as its best source says, and no more exactly.
package struct CaptureDate: Hashable, Sendable {
    package var moment: CaptureMoment
    package var precision: CapturePrecision
    package var source: CaptureDateSource

    package init(_ moment: CaptureMoment, precision: CapturePrecision = .second, source: CaptureDateSource) {
        self.moment = moment
        self.precision = precision
        self.source = source
    }

    /// UTC; nil where the zone is not known.
    package var instant: Date? {
        switch moment {
        case .zoned(let time, let offset): time.instant(offset: offset)
        case .local: nil
        case .instant(let instant): instant
        }
    }

    /// Seconds that the wall clock was ahead of UTC; nil where nobody says.
    package var offset: Int? {
        guard case .zoned(_, let offset) = moment else { return nil }
        return offset
    }

    /// What the wall clock said; nil where only the instant is known.
    package var localTime: CivilTime? {
        switch moment {
        case .zoned(let time, _), .local(let time): time
        case .instant: nil
        }
    }

    /// One instant to sort by and to show as PhotoKit's `creationDate`.
    ///
    /// A local time without a zone is taken as it stands, never shifted.
    package var creationDate: Date {
        switch moment {
        case .zoned(let time, let offset): time.instant(offset: offset)
        case .local(let time): time.instant(offset: 0)
        case .instant(let instant): instant
        }
    }

    /// Whether both say one second: as instants where both are known, else on the wall.
    ///
    /// Nil where they cannot be compared.
    package func agrees(with other: CaptureDate) -> Bool? {
        guard precision == .second, other.precision == .second else { return nil }
        if let mine = instant, let theirs = other.instant {
            return mine.microseconds.second == theirs.microseconds.second
        }
        guard let mine = localTime, let theirs = other.localTime else { return nil }
        return mine.microseconds.second == theirs.microseconds.second
    }
}

/// What a date says, with or without its zone.
package enum CaptureMoment: Hashable, Sendable {
    /// A wall clock, and how many seconds it was ahead of UTC.
    case zoned(CivilTime, offset: Int)
    /// A wall clock somewhere.
    case local(CivilTime)
    /// An instant, of which nobody knows what the wall clock said.
    case instant(Date)
}

/// How much of a capture date was written; what is finer reads as the first of its kind, 1 January or midnight.
package enum CapturePrecision: String, Codable, Sendable, CaseIterable {
    case year, month, day, minute, second
}

extension CapturePrecision: Comparable {
    /// Coarse before fine.
    package static func < (left: CapturePrecision, right: CapturePrecision) -> Bool { left.rank < right.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// A date that was read and not believed.
package struct PassedOverDate: Hashable, Sendable, Codable {
    package var source: CaptureDateSource
    /// As it was written, 64 bytes at most.
    package var text: String
    package var doubt: Doubt

    package init(source: CaptureDateSource, text: String, doubt: Doubt) {
        self.source = source
        self.text = text
        self.doubt = doubt
    }

    package enum Doubt: String, Codable, Sendable, CaseIterable {
        /// All zero, or the first second of a clock's count: a clock that was never set.
        case zero
        /// No calendar or no clock has it, or it is before 1900.
        case impossible
        /// More than a day after it was looked at.
        case future
    }
}

extension Int64 {
    /// The whole second below, of microseconds.
    fileprivate var second: Int64 { self >= 0 ? self / 1_000_000 : (self - 999_999) / 1_000_000 }
}
