import Control

extension Command {
    static let completionBash = Command(
        name: "completion bash", summary: "print the completion for bash",
        about: "`make install` puts it where bash-completion looks.",
        examples: [Example("source <(albumctl completion bash)", "for this shell alone")],
        run: { (invocation) throws(Problem) in
            let script = Completion.bash
            if invocation.output.isJSON {
                invocation.output.json(JSON.encode(["script": script]))
            } else {
                invocation.output.raw(Array(script.utf8))
            }
            return .done
        })
}

/// The completion for bash, made from the commands themselves.
enum Completion {
    /// The same text as completions/albumctl.bash.
    static var bash: String {
        """
        # Completion for albumctl, written by `albumctl completion bash`.
        _albumctl() {
            local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command= index
            for ((index = 1; index < COMP_CWORD; index++)); do
                case ${COMP_WORDS[index]} in
                    --socket) ((index++)) ;;
                    -*) ;;
                    *) command+=${command:+ }${COMP_WORDS[index]} ;;
                esac
            done
            COMPREPLY=()
            case $previous in
        \(words)
            esac
            case $command in
        \(places)
            esac
        }
        complete -F _albumctl albumctl

        """
    }

    /// What follows an option: a word of its list, or a file.
    private static var words: String {
        let options = Command.all.flatMap(\.options) + Option.common
        let choices = Dictionary(options.filter { !$0.words.isEmpty }.map { ("--" + $0.name, $0.words) }) { $0 + $1 }
        let lines = choices.sorted { $0.key < $1.key }.map { name, words in
            let list = words.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }.joined(separator: " ")
            return "        \(name)) COMPREPLY=($(compgen -W '\(list)' -- \"$word\")); return ;;"
        }
        let files = options.filter { ["PATH", "FILE", "FILE|-"].contains($0.value) }
        let names = Set(files.flatMap { ["--" + $0.name] + ($0.short.map { ["-" + $0] } ?? []) }).sorted()
        return (lines + ["        \(names.joined(separator: "|"))) compopt -o default; return ;;"])
            .joined(separator: "\n")
    }

    /// What follows the words of a command so far: the next word, or the command's options and files.
    private static var places: String {
        let groups = Set(Command.all.compactMap { $0.name.split(separator: " ").dropLast().first.map(String.init) })
        let first = unique(Command.all.compactMap { $0.word(after: []) })
        let tops = [
            "        '') COMPREPLY=($(compgen -W '\((first + ["help"] + common).joined(separator: " "))' -- \"$word\")) ;;"
        ]
        let middles = groups.sorted().map { group in
            let next = unique(Command.all.compactMap { $0.word(after: [group]) }).joined(separator: " ")
            return "        '\(group)') COMPREPLY=($(compgen -W '\(next)' -- \"$word\")) ;;"
        }
        return (tops + middles + Command.all.map(line)).joined(separator: "\n")
    }

    /// The star takes in the operands, and the values of options.
    private static func line(_ command: Command) -> String {
        let options = (command.options.map { "--" + $0.name } + common).joined(separator: " ")
        let takesFiles = ["PATH", "FILE", "DIR", "FOLDER"].contains { command.operands.contains($0) }
        let complete = "COMPREPLY=($(compgen -W '\(options)' -- \"$word\"))"
        let files = takesFiles ? "[[ $word != -* ]] && compopt -o default || " : ""
        return "        '\(command.name)'*) \(files)\(complete) ;;"
    }

    private static let common = Option.common.map { "--" + $0.name }

    private static func unique(_ words: [String]) -> [String] {
        words.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}
