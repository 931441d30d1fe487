# QuickVault. `make demo` and `make test` are the two to begin with; `make help` lists all.

PREFIX ?= $(HOME)/.local
SWIFT ?= swift
RELEASE = $(SWIFT) build -c release --static-swift-stdlib --product quickvault
STRICT = -Xswiftc -warnings-as-errors

.PHONY: help demo release setup test setup-test lint test-swift test-imaging test-clients install uninstall clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: setup release ## install what is missing, build, and play a conversation with a real vault
	/usr/bin/python3 protocol/demo.py .build/release/quickvault

release: ## build the program, the Swift runtime linked in
	$(RELEASE)

setup: ## install what building needs
	Tests/install-packages Sources/packages

test: setup-test lint test-swift test-imaging test-clients ## install what the tests need, and run them all

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
	@for run in clients/*/tests/run; do echo "$$run"; "$$run" || exit 1; done

install: release ## install the program and the clients' files under PREFIX (~/.local)
	install -D -m 755 .build/release/quickvault "$(DESTDIR)$(PREFIX)/bin/quickvault"
	install -D -m 644 -t "$(DESTDIR)$(PREFIX)/share/doc/quickvault" README.md protocol/README.md protocol/openrpc.json

uninstall: ## remove what install put there
	rm -f "$(DESTDIR)$(PREFIX)/bin/quickvault"
	rm -rf "$(DESTDIR)$(PREFIX)/share/doc/quickvault"

clean: ## remove what was built
	$(SWIFT) package clean
