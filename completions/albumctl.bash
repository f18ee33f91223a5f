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
        --albums) COMPREPLY=($(compgen -W 'single tree' -- "$word")); return ;;
        --creation-date) COMPREPLY=($(compgen -W 'capture mtime now' -- "$word")); return ;;
        --history) COMPREPLY=($(compgen -W 'catalogue journal' -- "$word")); return ;;
        --mode) COMPREPLY=($(compgen -W 'copy move' -- "$word")); return ;;
        --on-album-missing) COMPREPLY=($(compgen -W 'recreate hold' -- "$word")); return ;;
        --on-asset-deleted) COMPREPLY=($(compgen -W 'keep remove' -- "$word")); return ;;
        --on-source-deleted) COMPREPLY=($(compgen -W 'keep trash' -- "$word")); return ;;
        --residency) COMPREPLY=($(compgen -W 'local both inCloud' -- "$word")); return ;;
        --resource) COMPREPLY=($(compgen -W 'photo video alternatePhoto fullSizePhoto fullSizeVideo adjustmentData pairedVideo fullSizePairedVideo xmpSidecar takeoutSidecar' -- "$word")); return ;;
        --smart) COMPREPLY=($(compgen -W 'Recents Recently Added Panoramas Videos Favorites Time-lapse Bursts Slo-mo Selfies Screenshots Portrait Live Photos Animated Long Exposure RAW Cinematic Spatial Screen Recordings' -- "$word")); return ;;
        --source) COMPREPLY=($(compgen -W 'keep trash delete' -- "$word")); return ;;
        --type) COMPREPLY=($(compgen -W 'album smart' -- "$word")); return ;;
        --version) COMPREPLY=($(compgen -W 'current original' -- "$word")); return ;;
        --watch) COMPREPLY=($(compgen -W 'auto inotify poll' -- "$word")); return ;;
        --config|--output|--path|--report|--socket|-o) compopt -o default; return ;;
    esac
    case $command in
        '') COMPREPLY=($(compgen -W 'status flush reconcile pending retry why plan safe verify repair folder album asset map save original date delete trash confirm cloud history undo watch metrics library config reload version completion help --json --socket --help' -- "$word")) ;;
        'album') COMPREPLY=($(compgen -W 'list ensure exists rename get add remove' -- "$word")) ;;
        'asset') COMPREPLY=($(compgen -W 'list get tier' -- "$word")) ;;
        'cloud') COMPREPLY=($(compgen -W 'status plan evict fetch pin unpin rule adopt recover verify drill simulate' -- "$word")) ;;
        'completion') COMPREPLY=($(compgen -W 'bash' -- "$word")) ;;
        'config') COMPREPLY=($(compgen -W 'check' -- "$word")) ;;
        'date') COMPREPLY=($(compgen -W 'repair' -- "$word")) ;;
        'folder') COMPREPLY=($(compgen -W 'list add remove check confirm' -- "$word")) ;;
        'library') COMPREPLY=($(compgen -W 'rebuild' -- "$word")) ;;
        'map') COMPREPLY=($(compgen -W 'get check' -- "$word")) ;;
        'trash') COMPREPLY=($(compgen -W 'list restore purge' -- "$word")) ;;
        'status'*) COMPREPLY=($(compgen -W '--json --socket --help' -- "$word")) ;;
        'flush'*) COMPREPLY=($(compgen -W '--timeout --json --socket --help' -- "$word")) ;;
        'reconcile'*) [[ $word != -* ]] && compopt -o default || COMPREPLY=($(compgen -W '--dry-run --json --socket --help' -- "$word")) ;;
        'pending'*) COMPREPLY=($(compgen -W '--null --json --socket --help' -- "$word")) ;;
        'retry'*) [[ $word != -* ]] && compopt -o default || COMPREPLY=($(compgen -W '--all --json --socket --help' -- "$word")) ;;
        'why'*) [[ $word != -* ]] && compopt -o default || COMPREPLY=($(compgen -W '--json --socket --help' -- "$word")) ;;
        'plan'*) [[ $word != -* ]] && compopt -o default || COMPREPLY=($(compgen -W '--all --null --json --socket --help' -- "$word")) ;;
        'safe'*) [[ $word != -* ]] && compopt -o default || COMPREPLY=($(compgen -W '--ignore --release --all --report --force --json --socket --help' -- "$word")) ;;
        'verify'*) COMPREPLY=($(compgen -W '--deep --sample --rate --resume --json --socket --help' -- "$word")) ;;
        'repair'*) COMPREPLY=($(compgen -W '--dry-run --history --discard-orphans --yes --json --socket --help' -- "$word")) ;;
        'folder list'*) COMPREPLY=($(compgen -W '--null --json --socket --help' -- "$word")) ;;
        'folder add'*) [[ $word != -* ]] && compopt -o default || COMPREPLY=($(compgen -W '--album --mode --albums --on-album-missing --settle --watch --poll --ignore --on-source-deleted --on-asset-deleted --creation-date --offline --json --socket --help' -- "$word")) ;;
        'folder remove'*) [[ $word != -* ]] && compopt -o default || COMPREPLY=($(compgen -W '--json --socket --help' -- "$word")) ;;
        'folder check'*) [[ $word != -* ]] && compopt -o default || COMPREPLY=($(compgen -W '--json --socket --help' -- "$word")) ;;
        'folder confirm'*) [[ $word != -* ]] && compopt -o default || COMPREPLY=($(compgen -W '--json --socket --help' -- "$word")) ;;
        'album list'*) COMPREPLY=($(compgen -W '--type --json --socket --help' -- "$word")) ;;
        'album ensure'*) COMPREPLY=($(compgen -W '--json --socket --help' -- "$word")) ;;
        'album exists'*) COMPREPLY=($(compgen -W '--json --socket --help' -- "$word")) ;;
        'album rename'*) COMPREPLY=($(compgen -W '--json --socket --help' -- "$word")) ;;
        'album get'*) COMPREPLY=($(compgen -W '--json --socket --help' -- "$word")) ;;
        'album add'*) COMPREPLY=($(compgen -W '--json --socket --help' -- "$word")) ;;
        'album remove'*) COMPREPLY=($(compgen -W '--json --socket --help' -- "$word")) ;;
        'asset list'*) COMPREPLY=($(compgen -W '--album --smart --residency --limit --json --socket --help' -- "$word")) ;;
        'asset get'*) COMPREPLY=($(compgen -W '--json --socket --help' -- "$word")) ;;
        'asset tier'*) COMPREPLY=($(compgen -W '--json --socket --help' -- "$word")) ;;
        'map get'*) COMPREPLY=($(compgen -W '--path --id --external --null --json --socket --help' -- "$word")) ;;
        'map check'*) COMPREPLY=($(compgen -W '--path --id --external --json --socket --help' -- "$word")) ;;
        'save'*) [[ $word != -* ]] && compopt -o default || COMPREPLY=($(compgen -W '--filename --album --external --context --creation-date --source --no-wait --json --socket --help' -- "$word")) ;;
        'original'*) COMPREPLY=($(compgen -W '--output --version --resource --force --allow-network --json --socket --help' -- "$word")) ;;
        'date repair'*) COMPREPLY=($(compgen -W '--apply --json --socket --help' -- "$word")) ;;
        'delete'*) [[ $word != -* ]] && compopt -o default || COMPREPLY=($(compgen -W '--path --dry-run --json --socket --help' -- "$word")) ;;
        'trash list'*) COMPREPLY=($(compgen -W '--limit --json --socket --help' -- "$word")) ;;
        'trash restore'*) COMPREPLY=($(compgen -W '--all --dry-run --json --socket --help' -- "$word")) ;;
        'trash purge'*) COMPREPLY=($(compgen -W '--all --yes --dry-run --json --socket --help' -- "$word")) ;;
        'confirm'*) COMPREPLY=($(compgen -W '--dry-run --json --socket --help' -- "$word")) ;;
        'cloud status'*) COMPREPLY=($(compgen -W '--json --socket --help' -- "$word")) ;;
        'cloud plan'*) COMPREPLY=($(compgen -W '--limit --json --socket --help' -- "$word")) ;;
        'cloud evict'*) [[ $word != -* ]] && compopt -o default || COMPREPLY=($(compgen -W '--path --all --dry-run --json --socket --help' -- "$word")) ;;
        'cloud fetch'*) [[ $word != -* ]] && compopt -o default || COMPREPLY=($(compgen -W '--path --all --dry-run --json --socket --help' -- "$word")) ;;
        'cloud pin'*) [[ $word != -* ]] && compopt -o default || COMPREPLY=($(compgen -W '--path --until --json --socket --help' -- "$word")) ;;
        'cloud unpin'*) [[ $word != -* ]] && compopt -o default || COMPREPLY=($(compgen -W '--path --json --socket --help' -- "$word")) ;;
        'cloud rule'*) COMPREPLY=($(compgen -W '--keep-local --in-cloud --none --json --socket --help' -- "$word")) ;;
        'cloud adopt'*) COMPREPLY=($(compgen -W '--dry-run --yes --json --socket --help' -- "$word")) ;;
        'cloud recover'*) COMPREPLY=($(compgen -W '--dry-run --json --socket --help' -- "$word")) ;;
        'cloud verify'*) [[ $word != -* ]] && compopt -o default || COMPREPLY=($(compgen -W '--path --all --json --socket --help' -- "$word")) ;;
        'cloud drill'*) COMPREPLY=($(compgen -W '--sample --into --json --socket --help' -- "$word")) ;;
        'cloud simulate'*) COMPREPLY=($(compgen -W '--offline --online --latency --bandwidth --quota --error-rate --throttle-rate --break-rate --lie-rate --truncate-rate --corrupt-rate --outage-every --outage-for --list-delay --lose --corrupt --reset --json --socket --help' -- "$word")) ;;
        'history'*) COMPREPLY=($(compgen -W '--limit --json --socket --help' -- "$word")) ;;
        'undo'*) COMPREPLY=($(compgen -W '--dry-run --put-back --json --socket --help' -- "$word")) ;;
        'watch'*) COMPREPLY=($(compgen -W '--after --json --socket --help' -- "$word")) ;;
        'metrics'*) COMPREPLY=($(compgen -W '--json --socket --help' -- "$word")) ;;
        'library rebuild'*) COMPREPLY=($(compgen -W '--config --dry-run --partial --json --socket --help' -- "$word")) ;;
        'config check'*) COMPREPLY=($(compgen -W '--config --json --socket --help' -- "$word")) ;;
        'reload'*) COMPREPLY=($(compgen -W '--json --socket --help' -- "$word")) ;;
        'version'*) COMPREPLY=($(compgen -W '--json --socket --help' -- "$word")) ;;
        'completion bash'*) COMPREPLY=($(compgen -W '--json --socket --help' -- "$word")) ;;
    esac
}
complete -F _albumctl albumctl
