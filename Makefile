# Building, testing and installing Breadly. `make run` and `make test` are all that a new clone needs.

PREFIX ?= /usr/local
DESTDIR ?=
# More options for the server: make run ARGS="--port 9000"
ARGS ?=

# The release carries Swift's own libraries in it: the installed binary then needs no toolchain beside it. Nothing looks
# its functions up by name, and its relocations are packed where the C library understands that, from 2.36 on: that
# makes it 4.6 MB smaller, and 4 MB less of it is in memory.
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

SEEDS ?= 2000
FIRST_SEED ?= 1
SEED ?= 1
STEPS ?= 400
ROUNDS ?= 60

.PHONY: run build test simulate monkey mutations convergence sanitize bench docs lint format install uninstall prepare \
	clean

run: build
	exec $(BINARY) serve $(ARGS)

build: prepare
	.ci/with swift build $(RELEASE) --product breadly

test:
	.ci/prepare test
	rm -rf .build/tmp
	.ci/with swift build --build-tests --explicit-target-dependency-import-check error
	.ci/with swift test --skip-build --disable-xctest --skip whateverHappensAllEndsEqual
	SEEDS=$(SEEDS) FIRST_SEED=$(FIRST_SEED) .ci/with swift test --skip-build --disable-xctest --filter whateverHappensAllEndsEqual
	.ci/browser-tests
	rm -rf .build/tmp

# Simulated lives of devices and a cloud: more of them with SEEDS=10000, others with FIRST_SEED=5000.
simulate:
	.ci/prepare test
	.ci/with swift build --build-tests
	SEEDS=$(SEEDS) FIRST_SEED=$(FIRST_SEED) .ci/with swift test --skip-build --disable-xctest --filter whateverHappensAllEndsEqual

# Hands that do whatever the pages offer, while the server is killed: more of it with STEPS=5000, another with SEED=2.
monkey:
	.ci/prepare test
	.ci/with swift build --product breadly
	SEED=$(SEED) STEPS=$(STEPS) .ci/browser-tests -s -k monkey

# Small faults in the sources of sync, one after another: each must be caught. MUTATIONS="a b" takes two of them.
mutations:
	.ci/prepare test
	.ci/with Tests/Mutations/mutate.py $(MUTATIONS)

# Real servers and a real cloud fail, and come in step again; how soon. Others with SEED=2, more with ROUNDS=600.
convergence:
	.ci/prepare test
	.ci/with swift build --product breadly
	.ci/with Tests/Convergence/converge.py --rounds $(ROUNDS) --seed $(SEED)

# The tests of what many threads share, under the thread sanitizer, in a build of their own.
sanitize:
	.ci/prepare test
	.ci/with swift build --build-tests --sanitize thread --scratch-path .build-sanitize
	.ci/with clang -O1 -shared -fPIC -o .build-sanitize/mutex.so .ci/sanitizer-mutex.c
	.ci/with env LD_PRELOAD="$(CURDIR)/.build-sanitize/mutex.so" TSAN_OPTIONS=exitcode=66 SEEDS=20 \
		swift test --skip-build --disable-xctest --sanitize thread --scratch-path .build-sanitize \
		--filter 'DevicesTests|HTTPServerTests|AnEngine|whateverHappensAllEndsEqual'

bench: prepare
	.ci/with swift build $(RELEASE) --product breadly
	.ci/with swift build $(RELEASE) --product breadly-bench
	.ci/with .build/release/breadly-bench $(ARGS)

# The articles and the reference as a site: python3 -m http.server -d .build/docs, then /documentation/breadlyapp.
docs: prepare
	BREADLY_DOCS=1 .ci/with swift package --allow-writing-to-directory .build/docs generate-documentation \
		--target BreadlyApp --transform-for-static-hosting --warnings-as-errors --output-path .build/docs

lint: prepare
	.ci/with swift format lint --strict $(FORMAT)

format: prepare
	.ci/with swift format format --in-place $(FORMAT)

# Installs what `make build` has built; builds first only where nothing is built yet. The installed binary has no
# symbols: they are 54 MB, which only a debugger reads. The one in .build keeps them.
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

# Leaves the books alone: they are in the data folder.
uninstall:
	rm -f "$(ROOT)/bin/breadly" $(UNITS:%="$(ROOT)/lib/systemd/system/%") $(COMPLETIONS)
	rm -rf "$(ROOT)/share/breadly"

prepare:
	@.ci/prepare

clean:
	rm -rf .build .build-sanitize .venv
