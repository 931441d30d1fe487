# QuickVault. `make demo` and `make test` are the two to begin with; `make help` lists all.

PREFIX ?= $(HOME)/.local
SWIFT ?= swift
RELEASE = $(SWIFT) build -c release --static-swift-stdlib --product quickvault
STRICT = -Xswiftc -warnings-as-errors

BENCHMARK = .build/release/quickvault-benchmark

.PHONY: help demo release setup bench bench-record bench-quick bench-build test setup-test lint test-swift
.PHONY: test-imaging test-desktop test-clients test-documents test-packages test-soak test-sanitizers sanitize soak
.PHONY: fuzz helpers install uninstall deb tarball pictures clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: setup release ## install what is missing, build, and play a conversation with a real vault
	/usr/bin/python3 protocol/demo.py .build/release/quickvault

release: ## build the program, the Swift runtime linked in
	$(RELEASE)

setup: ## install what building needs
	Tests/install-packages Sources/packages

SUITES = lint test-sanitizers test-swift test-imaging test-desktop test-clients test-soak test-documents

test: setup-test $(SUITES) ## install what the tests need, and run them all

setup-test:
	Tests/install-packages Sources/packages Sources/quickvault-imaging/packages Sources/quickvault-desktop/packages \
	  Tests/packages Tests/packages-imaging Tests/packages-desktop $(wildcard clients/*/tests/packages)

lint: ## check the form of every source
	$(SWIFT) format lint --strict --recursive --parallel Sources Tests Package.swift
	Tests/lint

test-swift: ## build without a warning, and run the tests written in Swift
	$(SWIFT) build --build-tests $(STRICT)
	$(SWIFT) test --skip-build

test-imaging: ## give the imaging worker good and hostile pictures, and look at what it does
	Tests/ImagingTests/run

test-desktop: ## have the desktop program use the real fprintd and gnome-keyring
	Tests/DesktopTests/run

test-clients: ## drive Emacs, Vim and shells as a person would
	@# They type into real terminals in real time, so one that fails is told and given one more try.
	@for run in clients/*/tests/run; do \
	  echo "$$run"; "$$run" || { echo "$$run failed: once more"; "$$run"; } || exit 1; \
	done

bench: setup ## measure everything beside its floors, KeePassXC, pass and ImageMagick
	Tests/install-packages Tests/Benchmarks/packages Sources/quickvault-imaging/packages || \
	  echo "going on without what could not be installed"
	$(MAKE) --no-print-directory bench-build
	$(BENCHMARK) $(BENCH_FLAGS)

bench-record: ## the same, and write the results into README.md, README.zh-CN.md and Tests/Benchmarks/results
	$(MAKE) --no-print-directory bench BENCH_FLAGS="--record . $(BENCH_FLAGS)"

bench-quick: bench-build ## measure beside the floors alone, in less than a minute
	$(BENCHMARK) --quick $(BENCH_FLAGS)

bench-build: release
	$(SWIFT) build -c release --static-swift-stdlib --product frame-echo
	$(SWIFT) build -c release --static-swift-stdlib --product quickvault-benchmark
	$(SWIFT) build -c release --static-swift-stdlib --product quickvault-imaging || \
	  echo "going on without the imaging worker: attachments are not measured"

# Where things go; DESTDIR is put before each, for who makes packages.
ROOT = $(DESTDIR)$(PREFIX)
SHARE = $(ROOT)/share/quickvault
LIBEXEC = $(ROOT)/libexec/quickvault
BUILT = .build/release
# The programs beside quickvault: none of them is needed, and HELPERS= leaves them out.
HELPERS ?= quickvault-imaging quickvault-desktop

helpers: ## build the programs beside quickvault, and install what that needs
	$(if $(HELPERS),Tests/install-packages $(HELPERS:%=Sources/%/packages))
	$(foreach helper,$(HELPERS),$(SWIFT) build -c release --static-swift-stdlib --product $(helper) &&) true

install: release helpers ## install the program and the clients under PREFIX (~/.local)
	install -D -m 755 $(BUILT)/quickvault "$(ROOT)/bin/quickvault"
	$(foreach helper,$(HELPERS),install -D -m 755 $(BUILT)/$(helper) "$(LIBEXEC)/$(helper)" &&) true
	install -d "$(SHARE)/emacs" "$(SHARE)/vim" "$(SHARE)/shell" "$(SHARE)/protocol"
	install -m 644 clients/emacs/*.el "$(SHARE)/emacs"
	cp -R clients/vim/plugin clients/vim/autoload clients/vim/doc clients/vim/syntax "$(SHARE)/vim"
	cp -R clients/shell/lib clients/shell/*.bash clients/shell/*.zsh clients/shell/qv "$(SHARE)/shell"
	install -m 644 protocol/*.md protocol/openrpc.json "$(SHARE)/protocol"
	ln -sf ../share/quickvault/shell/qv "$(ROOT)/bin/qv"
	install -D -m 644 -t "$(ROOT)/share/man/man1" packaging/man/*.1
	install -D -m 644 packaging/completions/quickvault.bash "$(ROOT)/share/bash-completion/completions/quickvault"
	install -D -m 644 packaging/completions/qv.bash "$(ROOT)/share/bash-completion/completions/qv"
	install -D -m 644 -t "$(ROOT)/share/zsh/site-functions" packaging/completions/_*

uninstall: ## remove what install put there
	rm -f "$(ROOT)/bin/quickvault" "$(ROOT)/bin/qv"
	rm -f "$(ROOT)/share/man/man1/quickvault.1" "$(ROOT)/share/man/man1/qv.1"
	rm -f "$(ROOT)/share/bash-completion/completions/quickvault" "$(ROOT)/share/bash-completion/completions/qv"
	rm -f "$(ROOT)/share/zsh/site-functions/_quickvault" "$(ROOT)/share/zsh/site-functions/_qv"
	rm -rf "$(SHARE)" "$(LIBEXEC)"

deb: ## make Debian packages in .build/packages
	Tests/install-packages packaging/packages
	rm -rf .build/stage
	$(MAKE) --no-print-directory install DESTDIR="$(CURDIR)/.build/stage" PREFIX=/usr
	packaging/deb .build/stage

tarball: ## make a tar file of what install puts under PREFIX, in .build/packages
	rm -rf .build/tree
	$(MAKE) --no-print-directory install DESTDIR="$(CURDIR)/.build/tree" PREFIX=/quickvault
	packaging/tarball .build/tree/quickvault

test-documents: ## run the commands that the documents name, and follow their links
	Tests/Documents/run

pictures: release ## draw the pictures of the clients in the documents again, from the clients themselves
	clients/pictures/draw.py $(BUILT)/quickvault clients/pictures

test-packages: ## make the packages, install them on a clean Debian, and use them there
	Tests/install-packages packaging/packages-test
	$(MAKE) --no-print-directory deb tarball
	packaging/test.py .build/packages

clean: ## remove what was built
	$(SWIFT) package clean

FUZZ_RUNS ?= 2000000

fuzz: setup ## give every reader random bytes; FUZZ_RUNS for each
	Tests/Fuzz/run $(FUZZ_RUNS)

test-sanitizers: ## run the C of the vault's process under the address and undefined-behaviour sanitizers
	Tests/Sanitizers/run shims

sanitize: setup-test ## the Swift suite under the address and thread sanitizers, the C under that of undefined behaviour
	Tests/Sanitizers/run shims address thread undefined

KILLS ?= 1000

soak: setup-test release helpers ## the long forms: kills, faults, scarcity, load, leaks, damage, merges, sanitizers, fuzzing
	Tests/Soak/crash.py .build/release/quickvault $(KILLS)
	Tests/Soak/faults.py .build/release/quickvault
	Tests/Soak/scarcity.py .build/release/quickvault
	Tests/Soak/load.py .build/release/quickvault
	Tests/Soak/leaks.py .build/release/quickvault
	QUICKVAULT_SWEEP=1 QUICKVAULT_MERGES=200 $(SWIFT) test --filter 'DamageSweepTests|MergeTests|MergedPastLimitTests'
	Tests/Sanitizers/run shims address thread undefined
	Tests/Fuzz/run $(FUZZ_RUNS)

test-soak: ## their short forms
	Tests/Soak/crash.py "$$($(SWIFT) build --show-bin-path)/quickvault" 20
	Tests/Soak/faults.py "$$($(SWIFT) build --show-bin-path)/quickvault" 197
	Tests/Soak/scarcity.py "$$($(SWIFT) build --show-bin-path)/quickvault"
	Tests/Soak/load.py "$$($(SWIFT) build --show-bin-path)/quickvault" 40 5000
	Tests/Soak/leaks.py "$$($(SWIFT) build --show-bin-path)/quickvault" 20
