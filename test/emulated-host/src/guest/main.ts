import { after, before } from 'node:test';
import { type Daemon, startDaemon } from '@gantry/test-nodes';
import { buildingTests } from './building-tests.js';
import { confinementTests } from './confinement-tests.js';
import { type DaemonUnderTest, isOrdinary, slowDeadlines } from './daemon-under-test.js';
import { firewallsTests } from './firewalls-tests.js';
import { isolationTests } from './isolation-tests.js';
import { labelsTests } from './labels-tests.js';
import { leaksTests } from './leaks-tests.js';
import { lifecycleTests } from './lifecycle-tests.js';
import { networkingTests } from './networking-tests.js';
import { recoveryTests } from './recovery-tests.js';
import { remappingTests } from './remapping-tests.js';
import { remoteVolumesTests } from './remote-volumes-tests.js';
import { resolverTests } from './resolver-tests.js';
import { resourcesTests } from './resources-tests.js';
import { servicesTests } from './services-tests.js';
import { startOrdinaryDaemon } from './start-ordinary-daemon.js';
import { storageTests } from './storage-tests.js';
import { swarmTests } from './swarm-tests.js';
import { systemdTests } from './systemd-tests.js';
import { userTests } from './user-tests.js';

/** Groups of tests that a host has to pass, by the names `--group` takes. */
const groups: Readonly<Record<string, (fixture: DaemonUnderTest) => void>> = {
  lifecycle: lifecycleTests,
  resources: resourcesTests,
  confinement: confinementTests,
  labels: labelsTests,
  systemd: systemdTests,
  storage: storageTests,
  remapping: remappingTests,
  services: servicesTests,
  user: userTests,
  networking: networkingTests,
  isolation: isolationTests,
  swarm: swarmTests,
  volumes: remoteVolumesTests,
  resolver: resolverTests,
  building: buildingTests,
  recovery: recoveryTests,
  firewalls: firewallsTests,
  leaks: leaksTests,
};

// Runs in the guest, with node:test: AVA's start alone would take longer there than these tests.
const wanted = process.argv.slice(2);
let daemon: Daemon | undefined;
let ordinary: Omit<DaemonUnderTest, 'end'> | undefined;
const releases: (() => Promise<void> | void)[] = [];

before(async () => {
  const scope = { teardown: (release: () => Promise<void> | void) => void releases.push(release) };
  if (isOrdinary) ordinary = await startOrdinaryDaemon(scope);
  else daemon = await startDaemon(scope, { drivers: { 'runtime/runc': { deadlines: slowDeadlines } } });
});
async function end(): Promise<void> {
  for (const release of releases.splice(0).reverse()) await release();
}
after(end);

const ofRoot: Omit<DaemonUnderTest, 'end'> = {
  daemon: () => {
    if (daemon === undefined) throw new Error('the daemon was not started');
    return daemon;
  },
  get: async (url) => (await fetch(url).catch(() => undefined))?.text(),
  withoutEngine: () => Promise.reject(new Error('the daemon is that of root')),
};
const started = () => (isOrdinary && ordinary) || ofRoot;
const fixture: DaemonUnderTest = {
  daemon: () => started().daemon(),
  get: (url) => started().get(url),
  withoutEngine: (work) => started().withoutEngine(work),
  end,
};
for (const [name, define] of Object.entries(groups)) {
  if (wanted.length === 0 || wanted.includes(name)) define(fixture);
}
