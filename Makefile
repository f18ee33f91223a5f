# albumd. The two to begin with: `make run` and `make test`. `make help` lists the rest.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.ONESHELL:
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

PREFIX := /usr/local
DESTDIR :=
# Where `make install` takes the binaries from.
BINARIES := .build/release

# Debian packages: what the build links, and what the tests start.
DEPENDENCIES := g++ pkgconf libsqlite3-dev libinotifytools0-dev libsystemd-dev libmicrohttpd-dev \
    libcurl4-openssl-dev libssl-dev libmagic-dev libtoml11-dev
# What albumd-media reads media with. Without them it is left out, and the rest is built and runs in full.
MEDIA_DEPENDENCIES := libvips-dev libexif-dev libexempi-dev libavformat-dev libavcodec-dev libavutil-dev libraw-dev
# Older ones refuse every HEIC that iOS 18 writes.
HEIF_VERSION := 1.18
HEIF_PACKAGES := libheif1 libheif-plugin-libde265 libheif-plugin-dav1d
TEST_DEPENDENCIES := systemd systemd-container strace e2fsprogs xfsprogs

# SwiftPM would keep what Package.swift found out of the libraries that are installed.
SWIFT_FLAGS := --explicit-target-dependency-import-check error --manifest-cache none
SOURCES := Package.swift Sources Tests

.PHONY: help run sample test build release install uninstall bench mutants fuzz asan format lint deps test-deps \
    need-swift media-deps

help:
	@printf '%-15s %s\n' \
	    'make run' 'build, and start albumd in the foreground on a demo library in ./demo' \
	    'make test' 'build, and run every test' \
	    'make build' 'build for debugging' \
	    'make release' 'build for installing' \
	    'make install' 'install what make release built; PREFIX=/usr/local DESTDIR=' \
	    'make uninstall' 'remove it again; the library and the configuration stay' \
	    'make bench' 'measure a release build' \
	    'make mutants' 'break one rule after the other, and see that a test fails of each' \
	    'make fuzz' 'let chance look for files that break a parser, for a minute' \
	    'make asan' 'read the corpus with the whole worker under AddressSanitizer, for a minute' \
	    'make format' 'format the sources' \
	    'make lint' 'check their format'

need-swift:
	@answer=$$(swift --version 2>&1) && exit 0
	echo "Swift is missing, or does not run: $$answer"
	echo 'Get Swift 6.3 or later, and the packages it asks for, from https://www.swift.org/install/linux/ and see that'
	echo '`swift --version` answers in this shell; then run make again.'
	exit 1

# As whom packages are installed: a command to put before another, or nothing where that is not possible.
define FIND_ROOT
	if (( EUID == 0 )); then
	    root=(env)
	elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
	    root=(sudo -n)
	elif command -v sudo >/dev/null && [[ -t 0 ]]; then
	    root=(sudo)
	else
	    root=()
	fi
endef

# Those of the packages named as arguments that are not installed.
define MISSING
	missing() {
	    local package
	    for package; do
	        [[ $$(dpkg-query -W -f='$${db:Status-Status}' "$$package" 2>/dev/null || true) == installed ]] ||
	            printf '%s\n' "$$package"
	    done
	}
endef

# What is missing is installed by name; without the right to do so, the command is printed.
deps: PACKAGES = $(DEPENDENCIES)
test-deps: PACKAGES = $(DEPENDENCIES) $(TEST_DEPENDENCIES)
deps test-deps: media-deps
	@if ! command -v dpkg-query >/dev/null; then
	    echo 'This is no Debian: make sure that you have what these packages hold: $(PACKAGES)'
	    exit 0
	fi
	$(MISSING)
	mapfile -t missing < <(missing $(PACKAGES))
	(( $${#missing[@]} )) || exit 0
	install="apt-get update && apt-get install -y --no-install-recommends $${missing[*]}"
	$(FIND_ROOT)
	if (( ! $${#root[@]} )); then
	    echo "Missing packages. As root, run:"
	    echo "    $$install"
	    exit 1
	fi
	echo "Installing missing packages: $${missing[*]}"
	"$${root[@]}" apt-get update || echo 'apt-get update failed in part; trying with what is known.'
	"$${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$${missing[@]}" || {
	    echo "That failed. As root, run:"
	    echo "    $$install"
	    exit 1
	}

# What albumd-media is built of. Nothing of it is needed for the rest: where it cannot be installed, that is said, and
# albumd-media left out.
media-deps:
	@command -v dpkg-query >/dev/null || exit 0
	$(MISSING)
	mapfile -t missing < <(missing $(MEDIA_DEPENDENCIES))
	heif_is_old() {
	    local version=$$(dpkg-query -W -f='$${Version}' libheif1 2>/dev/null || true)
	    [[ -z "$$version" ]] || dpkg --compare-versions "$$version" lt $(HEIF_VERSION)
	}
	mapfile -t plugins < <(missing $(filter libheif-plugin-%,$(HEIF_PACKAGES)))
	if (( ! $${#missing[@]} && ! $${#plugins[@]} )) && ! heif_is_old; then exit 0; fi
	if [[ -e $(MEDIA_STAMP) && -z "$(filter media-deps,$(MAKECMDGOALS))" ]]; then
	    echo 'What albumd-media reads media with could not be installed, or not all of it. `make media-deps` tries again.'
	    exit 0
	fi
	$(FIND_ROOT)
	if (( ! $${#root[@]} )); then
	    echo "Without these packages albumd reads no dates, places and sizes: $${missing[*]}"
	    echo 'Run `make media-deps` as root to have them, then make again.'
	    exit 0
	fi
	mkdir -p $(dir $(MEDIA_STAMP)) && touch $(MEDIA_STAMP)
	apt() { "$${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get "$$@"; }
	apt update || echo 'apt-get update failed in part; trying with what is known.'
	if (( $${#missing[@]} )); then
	    echo "Installing what albumd-media reads media with: $${missing[*]}"
	    apt install -y --no-install-recommends "$${missing[@]}" || { echo 'That failed: it is left out.'; exit 0; }
	fi
	source=()
	if heif_is_old; then
	    release=$$(. /etc/os-release && echo "$${VERSION_CODENAME:-}")
	    entry=$$($(BACKPORTS_ENTRY))
	    if [[ ! -e $(BACKPORTS) && -n "$$entry" ]]; then
	        echo "libheif here is older than $(HEIF_VERSION), and refuses every HEIC that iOS 18 writes."
	        echo "Enabling $$release-backports for it, in $(BACKPORTS)"
	        "$${root[@]}" tee $(BACKPORTS) <<<"$$entry" >/dev/null
	        apt update || true
	    fi
	    source=(-t "$$release-backports")
	fi
	mapfile -t dev < <(comm -23 <(echo libheif-dev) <(missing libheif-dev))
	apt install -y --no-install-recommends "$${source[@]}" $(HEIF_PACKAGES) "$${dev[@]}" && rm $(MEDIA_STAMP) ||
	    echo "That failed: HEIC will have no facts until libheif is $(HEIF_VERSION) or later, with these: $(HEIF_PACKAGES)"

# Left by a try that failed: the network is not asked again with every build.
MEDIA_STAMP := .build/media-deps-failed

# Debian 12 has too old a libheif in its archive, and a new one in its backports: their entry is a copy of the machine's
# own entry for the archive, with its mirror and its keys, and other suites. Later releases need none.
APT := /etc/apt
BACKPORTS := $(APT)/sources.list.d/albumd-backports.sources
BACKPORTS_ENTRY = (cat $(APT)/sources.list.d/*.sources 2>/dev/null || true) | awk -v release="$$release" ' \
    BEGIN { RS = "" } !done && $$0 ~ ("(^|\n)Suites:([^\n]* )?" release "([ \n]|$$)") { print; done = 1 }' | \
    sed -E "/^\#/d; s/^Suites:.*/Suites: $$release-backports/; s/^Types:.*/Types: deb/" | grep . || \
    (cat $(APT)/sources.list $(APT)/sources.list.d/*.list 2>/dev/null || true) | \
    sed -nE "s/^deb( \[[^]]*\])? ([^ ]+) $$release main.*/Types: deb\nURIs: \2\nSuites: $$release-backports\nComponents: main/p" | head -n 4

build: need-swift deps
	@swift build $(SWIFT_FLAGS)

release: need-swift deps
	@swift build -c release --static-swift-stdlib

# The demo's files are made once: stop it with Ctrl-C, run it again, and it goes on.
run: build
	@demo="$$PWD/demo" inbox="$$PWD/demo/inbox"
	mkdir -p -m 700 "$$demo" "$$demo/run"
	mkdir -p "$$inbox"
	socket="$$demo/run/control.sock"
	if (( $$(printf %s "$$socket" | wc -c) > 107 )); then
	    # The kernel takes no longer path; one directory for each clone.
	    base="$${XDG_RUNTIME_DIR:-/tmp}/albumd-demo-$$UID"
	    mkdir -p -m 700 "$$base"
	    [[ -O $$base && ! -L $$base ]] || { echo "$$base belongs to somebody else"; exit 1; }
	    socket="$$base/$$(printf %s "$$demo" | cksum | cut -d ' ' -f 1).sock"
	fi
	toml() { local text=$${1//\\/\\\\}; printf '"%s"' "$${text//\"/\\\"}"; }
	config="$$demo/albumd.toml"
	wanted="$$(cat <<END
	# Written by make run. Change it as you like; it stays as long as the paths below are right.
	library = $$(toml "$$demo/library")
	socket = $$(toml "$$socket")
	[[folder]]
	path = $$(toml "$$inbox")
	album = "Inbox"
	on_source_deleted = "trash"
	END
	)"
	for line in library socket path; do
	    grep -qsxF "$$(grep "^$$line = " <<<"$$wanted")" "$$config" && continue
	    (umask 077 && printf '%s\n' "$$wanted" > "$$config")
	    break
	done
	albumctl=$$(printf '%q --socket %q' "$$PWD/.build/debug/albumctl" "$$socket")
	printf '\n%s\n\n' 'In another terminal, paste these three lines: make a picture, drop it, see it.'
	printf '    %s\n' "make -C $$(printf %q "$$PWD") sample" \
	    "mv $$(printf %q "$$demo")/sample-*.jpg $$(printf %q "$$inbox")/" \
	    "$$albumctl flush && $$albumctl asset list --album Inbox"
	printf '\n%s\n\n' 'albumd runs here until Ctrl-C; make run again goes on.'
	SWIFT_BACKTRACE=enable=no exec "$$PWD/.build/debug/albumd" --config "$$config"

# A small JPEG that is another one each time: its comment holds the time.
sample:
	@mkdir -p demo
	now=$$(date +%s%N)
	{
	    printf '\377\330\377\340\0\020JFIF\0\1\1\0\0\1\0\1\0\0'
	    printf '\377\376\0\042%032d' "$$now"
	    base64 -d <<<'$(SAMPLE)'
	} > "demo/sample-$$now.jpg"
	echo "$$PWD/demo/sample-$$now.jpg"

# The rest of a grey picture of 64 by 48, after its JFIF header.
SAMPLE := /9sAQwCgbniMeGSgjIKMtKqgvvD///Dc3PD//////////////////////////////////////////////////////////8AACwg$\
    AMABAAQERAP/EABcAAQEBAQAAAAAAAAAAAAAAAAACAQP/xAAVEAEBAAAAAAAAAAAAAAAAAAAAEf/aAAgBAQAAPwDtSlKUpSppSl$\
    KUpU0pSlKUqaUpSlKVlKUpSlKmlKUpSlf/2Q==

test: need-swift test-deps
	@mkdir -p .build
	swift build --build-tests $(SWIFT_FLAGS)
	log="$$PWD/.build/test.log" status=0 started=$$SECONDS
	# Alone: the control socket's tests, which hold a server to its deadlines, and those of the kernel's events, whose
	# descriptor must be a low one.
	alone='^(ControlServerTests\.|albumctlTests\.|ImportingTests\.LiveWatchTests)'
	export SWIFT_BACKTRACE=enable=no
	timeout -s KILL 600 swift test --skip-build --no-parallel --filter "$$alone" 2>&1 | tee "$$log" || status=$$?
	timeout -s KILL 1800 swift test --skip-build --skip "$$alone" 2>&1 | tee -a "$$log" || status=$$?
	echo
	grep -a '^✘' "$$log" || true
	grep -a '^➜' "$$log" || true
	grep -a '^. Test run with' "$$log" || true
	if (( status )); then
	    echo "make test: FAILED after $$((SECONDS - started)) s; the whole output is in $$log"
	    exit 1
	fi
	echo "make test: everything passed in $$((SECONDS - started)) s"

# BENCH: its options, for example BENCH="--fraction 1 --runs 5".
bench: release
	@command -v python3 >/dev/null || { echo 'make bench needs python3: apt-get install python3'; exit 1; }
	SWIFT_BACKTRACE=enable=no Benchmarks/run $(BENCH)

# MUTANTS: names of patches in Tests/Mutants; all where it is empty.
mutants: need-swift test-deps
	@Tests/Mutants/run $(MUTANTS)

fuzz: need-swift
	@Tests/Fuzz/run

asan: need-swift
	@Tests/Fuzz/asan

format: need-swift
	@swift format -i --parallel -r $(SOURCES)

lint: need-swift
	@swift format lint --strict --parallel -r $(SOURCES)
	bash -n .ci/run Tests/Systemd/* Tests/Mutants/run Tests/Fuzz/run Tests/Fuzz/asan

# systemd looks below /usr and /usr/local; for any other PREFIX its files go to /etc.
SYSTEMD := $(if $(filter /usr /usr/local,$(PREFIX)),$(PREFIX)/lib,/etc)
INSTALLED := $(PREFIX)/bin/albumd $(PREFIX)/bin/albumctl $(PREFIX)/bin/albumd-media \
    $(SYSTEMD)/systemd/system/albumd.service $(SYSTEMD)/systemd/system/albumd.socket \
    $(SYSTEMD)/systemd/user/albumd.service \
    $(SYSTEMD)/sysusers.d/albumd.conf $(SYSTEMD)/tmpfiles.d/albumd.conf \
    $(PREFIX)/share/albumd/read-all.conf $(PREFIX)/share/albumd/move.conf \
    $(PREFIX)/share/doc/albumd/README.md $(PREFIX)/share/bash-completion/completions/albumctl

# Builds nothing and asks no package manager: `make release` comes first, without root.
install:
	@for binary in albumd albumctl; do
	    [[ -x "$(BINARIES)/$$binary" ]] && continue
	    echo "make install: there is no $(BINARIES)/$$binary. Run 'make release' first, then install again."
	    exit 1
	done
	root="$(DESTDIR)" prefix="$(PREFIX)" systemd="$(SYSTEMD)"
	put() { install -D -m "$$1" "$$2" "$$root$$3"; }
	unit() { put 644 "$$1" "$$2"; sed -i "s|@PREFIX@|$$prefix|g" "$$root$$2"; }
	put 755 "$(BINARIES)/albumd" "$$prefix/bin/albumd"
	put 755 "$(BINARIES)/albumctl" "$$prefix/bin/albumctl"
	if [[ -x "$(BINARIES)/albumd-media" ]]; then
	    put 755 "$(BINARIES)/albumd-media" "$$prefix/bin/albumd-media"
	else
	    # One of an earlier version would not understand this albumd.
	    rm -f "$$root$$prefix/bin/albumd-media"
	    echo 'albumd-media was not built, for want of its libraries: albumd will read no dates, places and sizes.'
	fi
	unit systemd/albumd.service "$$systemd/systemd/system/albumd.service"
	unit systemd/albumd.socket "$$systemd/systemd/system/albumd.socket"
	unit systemd/albumd.user.service "$$systemd/systemd/user/albumd.service"
	put 644 systemd/albumd.sysusers "$$systemd/sysusers.d/albumd.conf"
	put 644 systemd/albumd.tmpfiles "$$systemd/tmpfiles.d/albumd.conf"
	put 644 systemd/read-all.conf "$$prefix/share/albumd/read-all.conf"
	put 644 systemd/move.conf "$$prefix/share/albumd/move.conf"
	[[ ! -f README.md ]] || put 644 README.md "$$prefix/share/doc/albumd/README.md"
	completion="$$root$$prefix/share/bash-completion/completions/albumctl"
	install -D -m 644 /dev/stdin "$$completion" < <("$(BINARIES)/albumctl" completion bash)
	config=/etc/albumd/albumd.toml
	if [[ ! -e "$$root$$config" ]]; then
	    put 644 config/albumd.toml "$$config"
	elif ! cmp -s config/albumd.toml "$$root$$config"; then
	    put 644 config/albumd.toml "$$config.new"
	    echo "Kept $$config; the new example is $$config.new"
	fi
	[[ -z "$$root" ]] || exit 0
	! command -v systemd-sysusers >/dev/null || systemd-sysusers "$$systemd/sysusers.d/albumd.conf"
	! command -v systemd-tmpfiles >/dev/null || systemd-tmpfiles --create "$$systemd/tmpfiles.d/albumd.conf"
	if [[ -d /run/systemd/system ]]; then
	    systemctl daemon-reload
	fi
	echo "Installed. Name your folders in $$config, then: systemctl enable --now albumd"

uninstall:
	@root="$(DESTDIR)"
	if [[ -z "$$root" && -d /run/systemd/system ]]; then
	    systemctl disable --now albumd.service albumd.socket || true
	fi
	for file in $(foreach file,$(INSTALLED),"$(file)"); do
	    rm -f "$$root$$file"
	done
	rm -f "$$root/etc/albumd/albumd.toml.new"
	for directory in share/albumd share/doc/albumd; do
	    rmdir "$$root$(PREFIX)/$$directory" 2>/dev/null || true
	done
	[[ -n "$$root" || ! -d /run/systemd/system ]] || systemctl daemon-reload
	echo 'Removed. The library (/var/lib/albumd) and the configuration (/etc/albumd) stay.'
