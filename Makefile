# QuickVault. `make demo` and `make test` are the two to begin with; `make help` lists all.

PREFIX ?= $(HOME)/.local
SWIFT ?= swift
RELEASE = $(SWIFT) build -c release --static-swift-stdlib --product quickvault
STRICT = -Xswiftc -warnings-as-errors

BENCHMARK = .build/release/quickvault-benchmark

.PHONY: help demo release setup bench bench-quick bench-build test setup-test lint test-swift test-imaging test-clients
.PHONY: test-soak soak fuzz install uninstall clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: setup release ## install what is missing, build, and play a conversation with a real vault
	/usr/bin/python3 protocol/demo.py .build/release/quickvault

release: ## build the program, the Swift runtime linked in
	$(RELEASE)

setup: ## install what building needs
	Tests/install-packages Sources/packages

test: setup-test lint test-swift test-imaging test-clients test-soak ## install what the tests need, and run them all

setup-test:
	Tests/install-packages Sources/packages Sources/quickvault-imaging/packages Tests/packages \
	  Tests/packages-imaging $(wildcard clients/*/tests/packages)

lint: ## check the form of every source
	$(SWIFT) format lint --strict --recursive --parallel Sources Tests Package.swift
	Tests/lint

test-swift: ## build without a warning, and run the tests written in Swift
	$(SWIFT) build --build-tests $(STRICT)
	$(SWIFT) test --skip-build

test-imaging: ## give the imaging worker good and hostile pictures, and look at what it does
	Tests/ImagingTests/run

test-clients: ## drive Emacs, Vim and shells as a person would
	@# They type into real terminals in real time, so one that fails is told and given one more try.
	@for run in clients/*/tests/run; do \
	  echo "$$run"; "$$run" || { echo "$$run failed: once more"; "$$run"; } || exit 1; \
	done

bench: setup ## measure everything beside its floors, KeePassXC and pass
	Tests/install-packages Tests/Benchmarks/packages || echo "going on without what could not be installed"
	$(MAKE) --no-print-directory bench-build
	$(BENCHMARK) $(BENCH_FLAGS)

bench-quick: bench-build ## measure beside the floors alone, in less than a minute
	$(BENCHMARK) --quick $(BENCH_FLAGS)

bench-build: release
	$(SWIFT) build -c release --static-swift-stdlib --product frame-echo
	$(SWIFT) build -c release --static-swift-stdlib --product quickvault-benchmark

SHARE = $(DESTDIR)$(PREFIX)/share/quickvault

install: release ## install the program and the clients under PREFIX (~/.local)
	install -D -m 755 .build/release/quickvault "$(DESTDIR)$(PREFIX)/bin/quickvault"
	install -d "$(SHARE)/emacs" "$(SHARE)/vim" "$(SHARE)/shell" "$(SHARE)/protocol"
	install -m 644 clients/emacs/*.el "$(SHARE)/emacs"
	cp -R clients/vim/plugin clients/vim/autoload clients/vim/doc clients/vim/syntax "$(SHARE)/vim"
	cp -R clients/shell/lib clients/shell/*.bash clients/shell/*.zsh clients/shell/qv "$(SHARE)/shell"
	install -m 644 protocol/README.md protocol/VAULT-FORMAT.md protocol/openrpc.json "$(SHARE)/protocol"
	ln -sf ../share/quickvault/shell/qv "$(DESTDIR)$(PREFIX)/bin/qv"

uninstall: ## remove what install put there
	rm -f "$(DESTDIR)$(PREFIX)/bin/quickvault" "$(DESTDIR)$(PREFIX)/bin/qv"
	rm -rf "$(SHARE)"

clean: ## remove what was built
	$(SWIFT) package clean

FUZZ_RUNS ?= 2000000

fuzz: setup ## give every reader random bytes; FUZZ_RUNS for each
	Tests/Fuzz/run $(FUZZ_RUNS)

KILLS ?= 1000

soak: setup-test release ## the long forms: kills, faults, fuzzing
	Tests/Soak/crash.py .build/release/quickvault $(KILLS)
	Tests/Soak/faults.py .build/release/quickvault
	Tests/Fuzz/run $(FUZZ_RUNS)

test-soak: ## their short forms
	Tests/Soak/crash.py "$$($(SWIFT) build --show-bin-path)/quickvault" 20
	Tests/Soak/faults.py "$$($(SWIFT) build --show-bin-path)/quickvault" 19
