# QuickVault. Begin with `make demo` and `make test`; `make help` lists all targets.

PREFIX ?= $(HOME)/.local
SWIFT ?= swift
# The Swift tests link the modules of the released programs, so nothing is built twice. They reach what is internal there.
OPTIMIZED = -c release -Xswiftc -enable-testing
RELEASE = $(SWIFT) build $(OPTIMIZED)
TESTED = $(SWIFT) test $(OPTIMIZED) --skip-build
RELEASED = .build/release

# The suites of both parts of the tests, the long ones first. `make test-NAME` runs a suite in full.
QUICK = build emacs vim swift shell carrier imaging protocol counts desktop sync editors agents documents pinentry lint
MORE = build-more reproducible soak swift-more emacs vim shell carrier imaging desktop sync editors documents sanitizers

.PHONY: help demo release programs setup bench bench-record bench-quick bench-build test test-more test-times test-changed test-again test-more-again
.PHONY: prepared setup-programs setup-test build-tests build-more interface lint test-packages coverage sanitize
.PHONY: $(addprefix test-,$(sort $(QUICK) $(MORE)))
.PHONY: soak soak-vault soak-sync soak-sanitizers soak-fuzz simulation
.PHONY: fuzz helpers install uninstall deb tarball pictures manual clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-17s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: setup release ## install build dependencies, build, and try qv with a temporary vault
	@if [ -t 0 ] && [ -t 1 ]; then $(RELEASED)/qv demo; else \
	  /usr/bin/python3 protocol/demo.py $(RELEASED)/quickvault; fi

release: ## build quickvault and qv for release, with the Swift runtime linked in
	$(RELEASE) --product quickvault
	$(RELEASE) --product qv

setup: ## install build dependencies
	Tests/install-packages Sources/packages

# Tests

test: prepared ## find nine of ten faults, in at most 12 minutes
	@Tests/suites run quick $(QUICK)

test-more: prepared ## run all tests that make test leaves out
	@Tests/suites run more $(MORE)

test-again test-more-again: ## run the suites that failed in the last make test or make test-more
	@Tests/suites again $(if $(findstring more,$@),more,quick)

test-times: ## run all tests, and write how long each suite takes into CONTRIBUTING.md
	$(MAKE) --no-print-directory test
	$(MAKE) --no-print-directory test-more
	Tests/suites table

test-changed: setup-test ## run the tests that the changes since main can break; BASE=REVISION compares with another
	Tests/changed $(BASE)

# What users run is tested.
test test-more test-again test-more-again: export QUICKVAULT_PROGRAM = $(CURDIR)/$(RELEASED)/quickvault

# The packages of the tests are installed while the programs are built, after those that the programs need.
prepared: setup-programs
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target setup-test programs

# All programs as for a release.
programs: release
	$(foreach helper,$(HELPERS),$(RELEASE) --product $(helper) &&) true

setup-programs:
	Tests/install-packages Sources/packages $(HELPERS:%=Sources/%/packages)

setup-test: setup-programs
	Tests/install-packages $(filter-out Tests/Benchmarks/%,$(wildcard Tests/packages* Tests/*/packages clients/*/tests/packages))

build-tests test-build: ## build the Swift tests and all programs
	$(RELEASE) --build-tests

# Benchmarks, the simulation, and the replay of fuzzing, with their tests.
build-more test-build-more test-swift-more soak-sync soak-sanitizers bench-build simulation: export QUICKVAULT_MORE = 1
build-more test-build-more:
	$(RELEASE) --build-tests

# With all of a thousand tests begun at once, each step of one waits for all the others, and some pass their deadline.
test-swift test-swift-more: export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH = 8
# Some look at texts in English.
test-swift test-swift-more: export LC_ALL = C.UTF-8
# Suites for make test-more.
EXHAUSTIVE = ^(Benchmark|Fuzz)Tests|Exhaustive|DamageSweep|MergedPastLimit
test-swift: build-tests ## run the Swift tests but the exhaustive ones; SELECTED=PATTERN runs those whose names match
	$(TESTED) --skip '$(EXHAUSTIVE)' $(if $(SELECTED),--filter '$(SELECTED)')

test-swift-more: build-more ## run the exhaustive Swift tests
	$(TESTED) --filter '$(EXHAUSTIVE)'

interface: build-tests ## write protocol/openrpc.json and the table of LIMITS.md of the sources and of protocol/interface
	QUICKVAULT_INTERFACE=write $(TESTED) --filter InterfaceTests
	protocol/interface.py limits >.build/LIMITS.md && cp .build/LIMITS.md protocol/LIMITS.md

lint test-lint: ## check the format of Swift, shell, JSON and Python files
	$(SWIFT) format lint --strict --recursive --parallel Sources Tests Package.swift
	Tests/lint

# One part of a suite: quick or more; all of it without a part.
PART =

test-emacs: ## test the Emacs client in batch mode and in real terminals
	clients/emacs/tests/run $(PART)

test-vim: ## test the Vim client in Vim and Neovim
	clients/vim/tests/run $(PART)

test-shell: ## test qv and the key bindings in real terminals, with real clipboards and menus
	clients/shell/tests/run $(PART:%=--%)

test-carrier: ## test the carrier with the real Apache, rclone, wsgidav and glewlwyd, and with hostile servers
	Tests/CarrierTests/run $(PART:%=--%)

test-imaging: ## test the imaging helper with valid and hostile pictures
	Tests/ImagingTests/run $(PART:%=--%)

test-desktop: ## test the desktop helper with the real fprintd and gnome-keyring
	Tests/DesktopTests/run $(PART:%=--%)

test-editors: ## test the Language Server Protocol with Neovim and Emacs
	Tests/EditorTests/run $(PART:%=--%)

test-agents: ## test the Model Context Protocol with its Python SDK and hostile agents
	Tests/AgentTests/run $(PART:%=--%)

test-pinentry: ## test passwords from the real pinentry programs
	Tests/PinentryTests/run $(PART:%=--%)

test-sync: ## test one vault on several machines over Syncthing, git, rclone, WebDAV, rsync and a stick
	SYNC_SEED=$${SYNC_SEED:-1} Tests/SyncTests/run $(PART:%=--%)

test-protocol: ## test the checks of messages, the independent readers in Python, the testkit and the vectors
	Tests/run-suite protocol $(PART:%=--%)

test-counts: ## compare the system calls, allocations and writes of each method with Tests/Counts/counts.json
	Tests/Counts/run $(PART:%=--%)

test-documents: ## run the commands in the documents and check their links
	Tests/Documents/run $(PART:%=--%)

test-sanitizers: ## test the C code of the vault process under the address and undefined-behaviour sanitizers
	Tests/Sanitizers/run shims

test-soak: ## run short versions of the soak tests
	Tests/Soak/crash.py "$$QUICKVAULT_PROGRAM" 20
	Tests/Soak/faults.py "$$QUICKVAULT_PROGRAM" 197
	Tests/Soak/rekeying.py "$$QUICKVAULT_PROGRAM" 23
	Tests/Soak/stalling.py "$$QUICKVAULT_PROGRAM"
	Tests/Soak/exhaustion.py "$$QUICKVAULT_PROGRAM"
	Tests/Soak/replaced_log.py "$$QUICKVAULT_PROGRAM" 15
	Tests/Soak/syncthing.py "$$QUICKVAULT_PROGRAM" 4
	Tests/Soak/load.py "$$QUICKVAULT_PROGRAM" 40 5000
	Tests/Soak/leaks.py "$$QUICKVAULT_PROGRAM" 20
	Tests/Soak/shared.py "$$QUICKVAULT_PROGRAM" 15 2000
	Tests/Soak/simulation.py $(RELEASED)/sync-simulation 4 200 1000 26
	Tests/Soak/merge_model.py 2000

coverage: setup-test ## measure which lines the Swift tests reach, and write the figures into CONTRIBUTING.md
	Tests/coverage

# Long tests: hours

KILLS ?= 1000
FUZZ_RUNS ?= 2000000
# Of 450 steps each, of which half are changes.
HISTORIES ?= 450
LANES ?= 2
SOAKS = soak-vault soak-sync soak-sanitizers soak-fuzz

soak: setup-test release helpers ## run the soak tests in full: crashes, I/O faults, replaced files, carriers, load, leaks, sanitizers, fuzzing
	Tests/install-packages Tests/EditorTests/packages-kate
	$(MAKE) --no-print-directory --jobs=$(LANES) --keep-going --output-sync=line $(SOAKS)

# `swift test` locks .build while it runs, so what these need from there is built before either begins.
soak-sync soak-sanitizers: build-more

soak-vault:
	Tests/Soak/crash.py $(RELEASED)/quickvault $(KILLS)
	Tests/Soak/faults.py $(RELEASED)/quickvault
	Tests/Soak/rekeying.py $(RELEASED)/quickvault
	Tests/Soak/stalling.py $(RELEASED)/quickvault
	Tests/Soak/exhaustion.py $(RELEASED)/quickvault
	Tests/Soak/replaced_log.py $(RELEASED)/quickvault
	Tests/Soak/syncthing.py $(RELEASED)/quickvault
	Tests/Soak/load.py $(RELEASED)/quickvault
	Tests/Soak/leaks.py $(RELEASED)/quickvault
	Tests/Soak/shared.py $(RELEASED)/quickvault $(KILLS) 100000

soak-sync:
	QUICKVAULT_PROGRAM=$(RELEASED)/quickvault SYNC_CHANGES=2000 SYNC_JUNK=100000 Tests/SyncTests/run
	QUICKVAULT_PROGRAM=$(RELEASED)/quickvault QUICKVAULT_KILLS=$(KILLS) Tests/CarrierTests/run test_servers test_account_kills
	QUICKVAULT_SWEEP=1 QUICKVAULT_MERGES=200 $(TESTED) --filter 'DamageSweepTests|MergeTests|MergedPastLimitTests'
	QUICKVAULT_MERGES=$(HISTORIES) QUICKVAULT_STEPS=450 $(TESTED) --filter 'SyncTests/randomHistories'
	Tests/Soak/merge_model.py 100000
	QUICKVAULT_PROGRAM=$(RELEASED)/quickvault Tests/EditorTests/run kate

soak-sanitizers:
	Tests/Sanitizers/run shims address thread undefined

# Fuzzing takes what the tests with deadlines leave of the processors.
soak-fuzz:
	nice -n 19 Tests/Fuzz/run $(FUZZ_RUNS)

# Replicas, cards, changes and rounds. In full this takes hours; when it is interrupted, the next one goes on.
SIMULATION ?= 50 100000 1000000 520

simulation: setup ## simulate ten years of synchronisation and record the results
	$(RELEASE) --product sync-simulation
	Tests/Soak/simulation.py $(RELEASED)/sync-simulation $(SIMULATION) --record --keep=.build/simulation

sanitize: setup-test soak-sanitizers ## run the Swift tests under the address and thread sanitizers, and C code under UBSan

fuzz: setup-test soak-fuzz ## fuzz every parser, FUZZ_RUNS times each

# Benchmarks

BENCHMARK = $(RELEASED)/quickvault-benchmark

bench: setup ## measure performance and compare with KeePassXC, pass and ImageMagick
	Tests/install-packages Tests/Benchmarks/packages Sources/quickvault-imaging/packages || \
	  echo "some packages could not be installed; what needs them is not measured"
	$(MAKE) --no-print-directory bench-build
	$(BENCHMARK) $(BENCH_FLAGS)

bench-record: ## run bench and write the results into the READMEs and Tests/Benchmarks/results
	$(MAKE) --no-print-directory bench BENCH_FLAGS="--record . $(BENCH_FLAGS)"

bench-quick: bench-build ## measure QuickVault alone, in about a minute
	$(BENCHMARK) --quick $(BENCH_FLAGS)

bench-build: release
	$(RELEASE) --product frame-echo
	$(RELEASE) --product quickvault-benchmark
	$(RELEASE) --product quickvault-imaging || echo "no imaging helper: attachments are not measured"

# Installation and packages

# DESTDIR goes before every path, as packagers expect.
ROOT = $(DESTDIR)$(PREFIX)
SHARE = $(ROOT)/share/quickvault
LIBEXEC = $(ROOT)/libexec/quickvault
# The helper programs are optional: HELPERS= leaves them out.
HELPERS ?= quickvault-imaging quickvault-desktop quickvault-carrier
# How the systemd units start the program.
UNIT_PROGRAM ?= $(PREFIX)/bin/quickvault

helpers: ## build the helper programs and install their dependencies
	$(if $(HELPERS),Tests/install-packages $(HELPERS:%=Sources/%/packages))
	$(foreach helper,$(HELPERS),$(RELEASE) --product $(helper) &&) true

install: release helpers ## install the program and the clients under PREFIX (~/.local)
	install -D -m 755 $(RELEASED)/quickvault "$(ROOT)/bin/quickvault"
	$(foreach helper,$(HELPERS),install -D -m 755 $(RELEASED)/$(helper) "$(LIBEXEC)/$(helper)" &&) true
	install -d "$(SHARE)/emacs" "$(SHARE)/vim" "$(SHARE)/shell" "$(SHARE)/protocol"
	install -m 644 clients/emacs/*.el "$(SHARE)/emacs"
	if command -v makeinfo >/dev/null; then clients/emacs/manual "$(ROOT)/share/info"; fi
	cp -R clients/vim/plugin clients/vim/autoload clients/vim/doc clients/vim/lua clients/vim/syntax "$(SHARE)/vim"
	install -m 644 clients/shell/quickvault.bash clients/shell/key-bindings.* "$(SHARE)/shell"
	install -m 644 protocol/*.md protocol/openrpc.json "$(SHARE)/protocol"
	rm -f "$(ROOT)/bin/qv"
	install -D -m 755 $(RELEASED)/qv "$(ROOT)/bin/qv"
	install -D -m 644 -t "$(ROOT)/share/doc/quickvault" LICENSE NOTICE
	install -D -m 644 -t "$(ROOT)/share/man/man1" packaging/man/*.1
	install -D -m 644 packaging/completions/quickvault.bash "$(ROOT)/share/bash-completion/completions/quickvault"
	install -D -m 644 clients/shell/qv.bash "$(ROOT)/share/bash-completion/completions/qv"
	install -D -m 644 -t "$(ROOT)/share/zsh/site-functions" packaging/completions/_* clients/shell/_qv
	install -D -m 644 -t "$(ROOT)/share/fish/vendor_completions.d" clients/shell/qv.fish
	install -D -m 644 -t "$(ROOT)/share/systemd/user" packaging/systemd/*.socket packaging/systemd/*.service
	sed -i 's|@PROGRAM@|$(UNIT_PROGRAM)|' "$(ROOT)/share/systemd/user/quickvault@.service"

uninstall: ## remove everything that install copied
	rm -f "$(ROOT)/bin/quickvault" "$(ROOT)/bin/qv"
	rm -f "$(ROOT)/share/man/man1/quickvault.1" "$(ROOT)/share/man/man1/qv.1" "$(ROOT)/share/man/man1/quickvault-carrier.1"
	rm -f "$(ROOT)/share/info/quickvault.info"
	rm -f "$(ROOT)/share/bash-completion/completions/quickvault" "$(ROOT)/share/bash-completion/completions/qv"
	rm -f "$(ROOT)/share/zsh/site-functions/_quickvault" "$(ROOT)/share/zsh/site-functions/_qv"
	rm -f "$(ROOT)/share/fish/vendor_completions.d/qv.fish"
	rm -f "$(ROOT)/share/systemd/user/quickvault@.socket" "$(ROOT)/share/systemd/user/quickvault@.service"
	rm -rf "$(SHARE)" "$(LIBEXEC)" "$(ROOT)/share/doc/quickvault"

manual: ## make the Info manual of the Emacs client in .build/info; needs texinfo
	clients/emacs/manual .build/info

deb: ## make Debian packages in .build/packages
	Tests/install-packages packaging/packages
	rm -rf .build/stage
	$(MAKE) --no-print-directory install DESTDIR="$(CURDIR)/.build/stage" PREFIX=/usr
	packaging/deb .build/stage

tarball: ## make a relocatable tar file in .build/packages
	rm -rf .build/tree
	$(MAKE) --no-print-directory install DESTDIR="$(CURDIR)/.build/tree" PREFIX=/quickvault \
	  UNIT_PROGRAM="/usr/bin/env quickvault"
	packaging/tarball .build/tree/quickvault

test-reproducible: deb tarball ## build the packages again in another directory and compare the bytes
	packaging/test-reproducible

test-packages: ## build the packages, install them in a clean Debian and use them there
	Tests/install-packages packaging/packages-test
	$(MAKE) --no-print-directory deb tarball
	packaging/test.py .build/packages

pictures: release ## redraw the screenshots of the clients in the documents
	clients/pictures/draw.py $(RELEASED)/quickvault clients/pictures

clean: ## remove build products
	$(SWIFT) package clean
