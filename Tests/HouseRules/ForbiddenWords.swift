/// Time and identity come in through `Machine` (DESIGN section 8): a test with a seed repeats a run exactly.
private let machine = [
    "Sources/Platform/Machine+Live.swift": "the machine itself",
    "Tests/TestSupport/": "the simulated machine",
]

/// SQL stands in the catalogue as whole statements; the module SQLite knows its own schema and no photos.
private let sqlPlaces = [
    "Sources/PhotoStore/Catalogue+": "the home of SQL",
    "Sources/SQLite/": "what it asks of any database",
]

let forbiddenWords: [ForbiddenWord] =
    // What is caught and passed shows the rule at work: nothing runs it.
    [
        ForbiddenWord(
            word: "Date()", exceptions: machine, caught: ["let a = Date()", "f(Date())"],
            passed: ["makeDate()", "Date(microseconds: 1)", "// Date()"]),
        ForbiddenWord(word: "Date.now", exceptions: machine, caught: ["let a = Date.now"], passed: ["Date.nowhere"]),
        ForbiddenWord(
            word: "UUID()", exceptions: machine, caught: ["LocalIdentifier(UUID())"], passed: ["machine.makeUUID()"]),
        ForbiddenWord(
            word: "Task.sleep", exceptions: machine,  // the rule's own word, in a string
            caught: ["try await Task.sleep(for: .seconds(1))"]),  // a sample, in a string
        ForbiddenWord(word: "ContinuousClock", exceptions: machine, caught: ["ContinuousClock().now"]),
        ForbiddenWord(word: "SuspendingClock", exceptions: machine, caught: ["SuspendingClock.now"]),
        ForbiddenWord(
            word: "clock_gettime",
            exceptions: machine.merging(
                [
                    "Sources/Platform/Monitor.swift":
                        "pthread_cond_timedwait(3) wants an absolute time of its own clock",
                    "Sources/Daemon/ServiceNotifier.swift": "sd_notify(3) wants CLOCK_MONOTONIC with RELOADING=1",
                ], uniquingKeysWith: { first, _ in first }), caught: ["clock_gettime(CLOCK_REALTIME, &time)"],
            passed: ["/// Time since boot (clock_gettime(2))."]),
        ForbiddenWord(word: "gettimeofday", caught: ["gettimeofday(&time, nil)"]),
        // With a generator whose seed is printed a run can be repeated.
        ForbiddenWord(
            word: ".random(", remedy: "using:", exceptions: machine, caught: ["Int.random(in: 0..<9)"],
            passed: ["Int.random(in: 0..<9, using: &generator)", "/// A .random(in:) one."]),
        ForbiddenWord(
            word: ".randomElement(", remedy: "using:", exceptions: machine, caught: ["names.randomElement()"],
            passed: ["names.randomElement(using: &generator)"]),
        ForbiddenWord(
            word: ".shuffled(", remedy: "using:", exceptions: machine, caught: ["names.shuffled()"],
            passed: ["names.shuffled(using: &generator)"]),
        ForbiddenWord(word: ".shuffle(", remedy: "using:", exceptions: machine, caught: ["names.shuffle()"]),
        ForbiddenWord(
            word: "SystemRandomNumberGenerator", exceptions: machine, caught: ["SystemRandomNumberGenerator()"]),
        ForbiddenWord(word: "getrandom", caught: ["getrandom(&bytes, 16, 0)"]),

        ForbiddenWord(
            word: "@unchecked",  // the rule's own word, in a string
            caught: ["final class A: @unchecked Sendable {"],  // a sample, in a string
            passed: ["// no @unchecked Sendable"]),  // a sample, in a string
        ForbiddenWord(
            word: "try!",  // the rule's own word, in a string
            caught: ["let a = try! f()"], passed: ["try f()", #"let a = "try!""#]),  // samples, in strings
        ForbiddenWord(word: "as!", caught: ["let a = b as! Int"], passed: ["let a = b as? Int", "let alias = !a"]),
        ForbiddenWord(
            word: "fatalError",  // the rule's own word, in a string
            caught: ["fatalError(\"no\")"],  // a sample, in a string
            passed: ["preconditionFailure(\"why\")"]),
        ForbiddenWord(
            word: "print", scope: ["Sources/"],
            caught: ["print(a)"], passed: ["let name = printable(path)", "// print(a)", #"say("print(a)")"#]),
        ForbiddenWord(
            word: "import Foundation", caught: ["import Foundation", "package import Foundation"],
            passed: ["import FoundationEssentials"]),

        ForbiddenWord(
            word: "sleep",  // the rule's own word, in a string
            caught: ["sleep(1)", "Task.sleep(for: .seconds(1))"],  // samples, in strings
            passed: ["let sleeper = 1"]),
        ForbiddenWord(word: "usleep", caught: ["usleep(1000)"]),  // word and sample, in strings
        ForbiddenWord(word: "nanosleep", caught: ["nanosleep(&time, nil)"]),  // word and sample, in strings
        ForbiddenWord(
            word: "sleep", part: .strings, scope: ["Tests/"],
            exceptions: ["Tests/HouseRules/ForbiddenWords.swift": "the samples"],
            caught: [#"shell("sleep 1; ls")"#], passed: ["// never sleep"]),

        ForbiddenWord(
            word: "TODO", part: .comments,  // the rule's own word, in a string
            caught: ["// TODO: later"], passed: ["let TODO = 1"]),  // samples, in strings
        ForbiddenWord(word: "FIXME", part: .comments, caught: ["/* FIXME */"]),
    ]
    + ["SELECT ", "INSERT ", "UPDATE ", "DELETE FROM", "CREATE TABLE", "CREATE INDEX", "ALTER TABLE"].map { word in
        ForbiddenWord(
            word: word, part: .strings, scope: ["Sources/"], exceptions: sqlPlaces,
            caught: ["run(\"\(word) x\")", "let a = \"\"\"\n    \(word) x\n    \"\"\""],
            passed: ["/// Rows changed by the last \(word) x.", #"case delete = "DELETE""#])
    }
