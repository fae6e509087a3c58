import { after, before } from 'node:test';
import { type Daemon, startDaemon } from '@gantry/host';
import { buildingTests } from './building-tests.js';
import { confinementTests } from './confinement-tests.js';
import { type DaemonUnderTest, slowDeadlines } from './daemon-under-test.js';
import { lifecycleTests } from './lifecycle-tests.js';
import { networkingTests } from './networking-tests.js';
import { recoveryTests } from './recovery-tests.js';
import { resourcesTests } from './resources-tests.js';
import { servicesTests } from './services-tests.js';
import { storageTests } from './storage-tests.js';
import { systemdTests } from './systemd-tests.js';

/** Groups of tests that a host has to pass, by the names `--group` takes. The last one restarts the daemon. */
const groups: Readonly<Record<string, (fixture: DaemonUnderTest) => void>> = {
  lifecycle: lifecycleTests,
  resources: resourcesTests,
  confinement: confinementTests,
  systemd: systemdTests,
  storage: storageTests,
  services: servicesTests,
  networking: networkingTests,
  building: buildingTests,
  recovery: recoveryTests,
};

// Runs in the guest, with node:test: AVA's start alone would take longer there than these tests.
const wanted = process.argv.slice(2);
let daemon: Daemon | undefined;
const releases: (() => Promise<void> | void)[] = [];

before(async () => {
  const scope = { teardown: (release: () => Promise<void> | void) => void releases.push(release) };
  daemon = await startDaemon(scope, { drivers: { 'runtime/runc': { deadlines: slowDeadlines } } });
});
after(async () => {
  for (const release of releases.reverse()) await release();
});

const fixture: DaemonUnderTest = {
  daemon: () => {
    if (daemon === undefined) throw new Error('the daemon was not started');
    return daemon;
  },
};
for (const [name, define] of Object.entries(groups)) {
  if (wanted.length === 0 || wanted.includes(name)) define(fixture);
}
