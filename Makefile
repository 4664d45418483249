# Building, testing and installing Breadly. `make run` and `make test` are all that a new clone needs.

PREFIX ?= /usr/local
DESTDIR ?=
# More options for the server: make run ARGS="--port 9000"
ARGS ?=

# The release carries Swift's own libraries in it: the installed binary then needs no toolchain beside it.
RELEASE := -c release --static-swift-stdlib
BINARY := .build/release/breadly
SOURCES := Package.swift Sources Tests
FORMAT := --recursive --parallel --configuration .swift-format $(SOURCES)

SEEDS ?= 2000
FIRST_SEED ?= 1
SEED ?= 1
STEPS ?= 400
ROUNDS ?= 60

.PHONY: run build test simulate monkey mutations convergence sanitize bench lint format install uninstall prepare clean

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

lint: prepare
	.ci/with swift format lint --strict $(FORMAT)

format: prepare
	.ci/with swift format format --in-place $(FORMAT)

# Installs what `make build` has built; builds first only where nothing is built yet.
install:
	@test -x $(BINARY) || $(MAKE) build
	install -D -m 755 $(BINARY) "$(DESTDIR)$(PREFIX)/bin/breadly"
	install -d -m 755 "$(DESTDIR)$(PREFIX)/share/breadly"
	rm -rf "$(DESTDIR)$(PREFIX)/share/breadly/Resources" "$(DESTDIR)$(PREFIX)/share/breadly/public"
	cp -R Resources public "$(DESTDIR)$(PREFIX)/share/breadly/"
	cd "$(DESTDIR)$(PREFIX)/share/breadly/Resources" && rm -rf breadly.service bench pictures
	chmod -R u=rwX,go=rX "$(DESTDIR)$(PREFIX)/share/breadly"
	install -d -m 755 "$(DESTDIR)$(PREFIX)/lib/systemd/system"
	sed 's|@PREFIX@|$(PREFIX)|g' Resources/breadly.service \
		>"$(DESTDIR)$(PREFIX)/lib/systemd/system/breadly.service"
	chmod 644 "$(DESTDIR)$(PREFIX)/lib/systemd/system/breadly.service"

# Leaves the books alone: they are in the data folder.
uninstall:
	rm -f "$(DESTDIR)$(PREFIX)/bin/breadly" "$(DESTDIR)$(PREFIX)/lib/systemd/system/breadly.service"
	rm -rf "$(DESTDIR)$(PREFIX)/share/breadly"

prepare:
	@.ci/prepare

clean:
	rm -rf .build .build-sanitize .venv
