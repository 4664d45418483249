# Builds, tests and installs Breadly. A new clone needs only `make run` and `make test`.

PREFIX ?= /usr/local
DESTDIR ?=
# More options for the server: make run ARGS="--port 9000"; the reviewers' lab instead of it: make run DEMO=1
ARGS ?=

# The release contains Swift's own libraries, so the installed binary needs no toolchain. It exports no symbols, because
# nothing looks up its functions by name. Its relocations are packed if the C library supports that (2.36 or newer).
# Together these make the binary 4.6 MB smaller, and 4 MB less of it is in memory.
PACKED := $(shell getconf GNU_LIBC_VERSION | awk '{ split($$2, v, "."); \
	if (v[1] > 2 || v[2] >= 36) print "-Xlinker -z -Xlinker pack-relative-relocs" }')
RELEASE := -c release --static-swift-stdlib -Xswiftc -use-ld=lld -Xlinker --no-export-dynamic $(PACKED)
BINARY := .build/release/breadly
STRIP ?= strip
ROOT = $(DESTDIR)$(PREFIX)
UNITS := breadly.service breadly-cloud.service
COMPLETIONS = "$(ROOT)/share/bash-completion/completions/breadly" "$(ROOT)/share/zsh/site-functions/_breadly" \
	"$(ROOT)/share/fish/vendor_completions.d/breadly.fish"
SOURCES := Package.swift Sources Tests
FORMAT := --recursive --parallel --configuration .swift-format $(SOURCES)

# Removes the temporary files of tests: see .ci/with.
FORGET := rm -rf "$$(readlink -f .build/tmp)" .build/tmp
# What `make check` runs: the rules of the house, and the tests of targets without a server.
CHECKED := HouseTests EncodingTests LedgerTests LifecycleTests TextsTests TemplatesTests LinksTests CompressionTests \
	SyncCoreTests CloudProtocolTests EntitlementsTests StorageTests FileStoreTests SyncEngineTests BookTests FieldTests \
	DeviceStoreTests RateFeedsTests RegularExpressionsTests StorybookTests WebTests
# Lives of the simulator: in `make test`, and in `make simulate` and `make night`.
TEST_SEEDS ?= 400
SEEDS ?= 2000
FIRST_SEED ?= 1
# The random moments and actions of monkey, crashes and convergence, and how many.
SEED ?= 1
STEPS ?= 400
ROUNDS ?= 60

.PHONY: run build check test night tests migration articles simulate monkey crashes variants mutations convergence sanitize bench docs lint \
	format install uninstall prepare clean

run: build
	exec $(BINARY) $(if $(DEMO),demo,serve) $(ARGS)

build: prepare
	.ci/with swift build $(RELEASE) --product breadly

# Three lanes of tests. What one runs at each save: the style, the rules of the house, the targets without a server.
check: lint tests
	.ci/with .ci/swift-tests $(CHECKED)

# What a change must pass.
test:
	.ci/prepare test
	$(FORGET)
	$(MAKE) check
	SEEDS=$(TEST_SEEDS) .ci/with .ci/swift-tests $(CHECKED:%=--without %)
	.ci/browser-tests
	$(FORGET)

# What takes hours: .ci/night says what, in a line for each part.
night:
	.ci/prepare test
	MAKE="$(MAKE)" SEEDS=$(SEEDS) STEPS=4000 ROUNDS=200 .ci/night

tests: prepare
	.ci/build-tests

# Prints the text of the migration that a declared field or kind of row lacks, and fails if there is one.
migration: tests
	.ci/with .ci/swift-tests --again --filter isCapturedByTheNewestSchema FieldTests

# Follows the articles that say how to add something, in a copy of the repository.
articles: tests
	.ci/articles

# Runs simulations of devices and a cloud. SEEDS=10000 runs more, FIRST_SEED=5000 runs others.
simulate: tests
	SEEDS=$(SEEDS) FIRST_SEED=$(FIRST_SEED) .ci/with .ci/swift-tests --filter whateverHappensAllEndsEqual

# Runs random actions of the pages while the server is killed. STEPS=5000 runs more, SEED=2 runs others.
monkey: tests
	.ci/prepare test
	SEED=$(SEED) STEPS=$(STEPS) BROWSER_JOBS=0 .ci/browser-tests -s -k monkey

# Kills servers and their cloud at random moments. ROUNDS=600 kills more often, SEED=2 at others.
crashes: tests
	.ci/prepare test
	SEED=$(SEED) ROUNDS=$(ROUNDS) BROWSER_JOBS=0 .ci/browser-tests -s -k crashes

# Runs the browser tests of pages at each size both with and without JavaScript; `make test` runs a part of these.
variants: tests
	.ci/prepare test
	BREADLY_VARIANTS=all .ci/browser-tests

# Injects small bugs into the sources of sync, one after another; the tests must detect each. MUTATIONS="a b" runs two.
mutations:
	.ci/prepare test
	.ci/with Tests/Mutations/mutate.py $(MUTATIONS)

# Measures how soon real servers and a cloud are in sync again after failures. SEED=2 runs others, ROUNDS=600 runs more.
convergence: tests
	.ci/prepare test
	.ci/with Tests/Convergence/converge.py --rounds $(ROUNDS) --seed $(SEED)

# Runs the tests of code that several threads share under the thread sanitizer, in a separate build.
sanitize:
	.ci/prepare test
	.ci/with swift build --build-tests --sanitize thread --scratch-path .build-sanitize
	.ci/with clang -O1 -shared -fPIC -o .build-sanitize/mutex.so .ci/sanitizer-mutex.c
	.ci/with env LD_PRELOAD="$(CURDIR)/.build-sanitize/mutex.so" TSAN_OPTIONS=exitcode=66 SEEDS=20 \
		swift test --skip-build --disable-xctest --enable-swift-testing --sanitize thread \
		--scratch-path .build-sanitize --experimental-maximum-parallelization-width 4 \
		--filter 'DevicesTests|HTTPServerTests|AnEngine|whateverHappensAllEndsEqual'

bench: prepare
	.ci/with swift build $(RELEASE) --product breadly
	.ci/with swift build $(RELEASE) --product breadly-bench
	.ci/with .build/release/breadly-bench $(ARGS)

# Builds the articles and the reference as a site. To read it, run python3 -m http.server -d .build/docs and open
# /documentation/breadlyapp.
docs: prepare
	BREADLY_DOCS=1 .ci/with swift package --allow-writing-to-directory .build/docs generate-documentation \
		--target BreadlyApp --transform-for-static-hosting --warnings-as-errors --output-path .build/docs

lint: prepare
	.ci/with swift format lint --strict $(FORMAT)

format: prepare
	.ci/with swift format format --in-place $(FORMAT)

# Installs the result of `make build`, and builds only if there is none yet. The installed binary has no symbols: they are
# 54 MB, which only a debugger reads. The binary in .build keeps them.
install:
	@test -x $(BINARY) || $(MAKE) build
	install -D -m 755 $(BINARY) "$(ROOT)/bin/breadly"
	@if command -v $(STRIP) >/dev/null; then echo $(STRIP) "$(ROOT)/bin/breadly"; $(STRIP) "$(ROOT)/bin/breadly"; \
		else echo "breadly: there is no $(STRIP) here (package binutils): the binary keeps its symbols" >&2; fi
	install -d -m 755 "$(ROOT)/share/breadly"
	rm -rf "$(ROOT)/share/breadly/Resources" "$(ROOT)/share/breadly/public"
	cp -R Resources public "$(ROOT)/share/breadly/"
	cd "$(ROOT)/share/breadly/Resources" && rm -rf *.service bench pictures
	chmod -R u=rwX,go=rX "$(ROOT)/share/breadly"
	install -d -m 755 "$(ROOT)/lib/systemd/system" "$(ROOT)/share/bash-completion/completions" \
		"$(ROOT)/share/zsh/site-functions" "$(ROOT)/share/fish/vendor_completions.d"
	for unit in $(UNITS); do \
		sed 's|@PREFIX@|$(PREFIX)|g' Resources/$$unit >"$(ROOT)/lib/systemd/system/$$unit" && \
		chmod 644 "$(ROOT)/lib/systemd/system/$$unit" || exit 1; done
	$(BINARY) --generate-completion-script bash >"$(ROOT)/share/bash-completion/completions/breadly"
	$(BINARY) --generate-completion-script zsh >"$(ROOT)/share/zsh/site-functions/_breadly"
	$(BINARY) --generate-completion-script fish >"$(ROOT)/share/fish/vendor_completions.d/breadly.fish"
	chmod 644 $(COMPLETIONS)

# Keeps the books, which are in the data folder.
uninstall:
	rm -f "$(ROOT)/bin/breadly" $(UNITS:%="$(ROOT)/lib/systemd/system/%") $(COMPLETIONS)
	rm -rf "$(ROOT)/share/breadly"

prepare:
	@.ci/prepare

clean:
	$(FORGET)
	rm -rf .build .build-sanitize .venv
