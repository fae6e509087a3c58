import type { LogDriver } from '@gantry/core/contracts';
import type { DriverSet } from '@gantry/core/driver';
import { EngineError, invalidArgument, notFound } from '@gantry/core/errors';
import type { ImageConfig } from '@gantry/images/service';
import type { CgroupLimits } from '@gantry/lib-linux/cgroups';
import type { Network } from '@gantry/networks/service';
import { CreateConfigurator, type CreateDefaults } from '../configuration/create-configurator.js';
import { decodeCreateBody } from '../configuration/decode-bodies.js';
import type { PreparedContainer } from '../configuration/prepared-container.js';
import type { ContainerLookup } from '../container-lookup.js';
import type { HostFacts } from '../host/host-facts.js';
import type { ContainerRecord } from '../record.js';
import type { HostConfig } from '../schema.js';

/** For tests of configurations: a host with every controller, some networks and some containers. */

const everything: CgroupLimits = {
  version: 1,
  isDelegated: true,
  memory: true,
  swap: true,
  swappiness: true,
  memoryReservation: true,
  oomKillDisable: true,
  cpuShares: true,
  cpuQuota: true,
  cpuset: true,
  pids: true,
  blkioWeight: true,
  blkioWeightDevice: true,
  blkioThrottle: true,
};

export const MiB = 2 ** 20;

export const hostWith = (limits: Partial<CgroupLimits> = {}, facts: Partial<HostFacts> = {}): HostFacts => ({
  hostname: 'the-host',
  cpus: new Set([0, 1]),
  memoryNodes: new Set([0]),
  limits: { ...everything, ...limits },
  hasCgroups: true,
  remapsIds: false,
  capabilities: new Set(['CAP_CHOWN', 'CAP_NET_ADMIN', 'CAP_SYS_ADMIN']),
  ulimits: new Map([['nofile', 1000]]),
  lowestOomScore: 0,
  appArmor: false,
  selinux: undefined,
  seccomp: true,
  recursiveReadOnly: true,
  cgroupVersion: 1,
  ...facts,
});

/** A host without any of the controllers. */
export const bareHost = hostWith(Object.fromEntries(Object.keys(everything).map((name) => [name, false])));

const network = (name: string, userDefined: boolean): Network => ({
  id: `${name}-id`,
  name,
  driver: 'bridge',
  scope: 'local',
  predefined: !userDefined,
  hostStack: name === 'host',
  userDefined,
});

const all = [network('bridge', false), network('host', false), network('none', false), network('front', true)];

/** `bridge`, `host` and `none`, and `front`, which a user has made. */
export const networks = {
  get: (reference: string): Network => {
    const found = all.find(({ id, name }) => reference === id || reference === name);
    if (found === undefined) throw notFound(`network ${reference} not found`);
    return found;
  },
};

const jsonFile = {
  validate: (options: Readonly<Record<string, string>>): void => {
    for (const name of Object.keys(options)) {
      if (name !== 'max-size') throw invalidArgument(`unknown log opt '${name}' for json-file log driver`);
    }
  },
} as LogDriver;

const logDrivers = {
  defaultId: 'json-file',
  has: (id: string) => id === 'json-file',
  get: () => jsonFile,
  reasonWithout: (id: string) => (id === 'journald' ? 'there is no journal' : undefined),
} as unknown as DriverSet<LogDriver>;

export const recordWith = (changes: Partial<ContainerRecord> = {}): ContainerRecord => ({
  id: 'a'.repeat(64),
  name: 'other',
  createdAt: '2024-01-01T00:00:00.000000000Z',
  imageId: 'sha256:1',
  imageName: 'busybox',
  path: 'sleep',
  args: ['300'],
  config: { Hostname: 'other-host', Domainname: 'example.test' },
  hostConfig: { IpcMode: 'shareable' },
  networks: {},
  mounts: [],
  storageDriver: 'overlayfs',
  state: { status: 'created' },
  restartCount: 0,
  stoppedByUser: false,
  everStarted: false,
  ...changes,
});

export const lookupOf = (...records: readonly ContainerRecord[]): ContainerLookup => ({
  get: (reference) => {
    const found = records.find(({ id, name }) => reference === id || reference === name);
    if (found === undefined) throw notFound(`No such container: ${reference}`);
    return found;
  },
});

/** Id of the container that is prepared. */
export const ownId = '0123456789ab'.padEnd(64, '0');

const configuratorOn = (
  host: HostFacts,
  containers: ContainerLookup = lookupOf(),
  initPath = process.execPath,
): CreateConfigurator =>
  new CreateConfigurator(
    host,
    { lookup: containers },
    networks,
    logDrivers,
    {
      check: ({ Runtime = '' }) => {
        if (!['', 'runc'].includes(Runtime)) throw invalidArgument(`Unknown runtime specified ${Runtime}`);
      },
    },
    { initPath },
  );

interface Setting {
  readonly image?: ImageConfig;
  readonly host?: HostFacts;
  readonly containers?: ContainerLookup;
  readonly defaults?: CreateDefaults;
  readonly initPath?: string;
}

/** Decodes and prepares a body, to which an image and a command are added. */
export function prepare(
  body: object,
  { image = {}, host = hostWith(), containers = lookupOf(), defaults = {}, initPath }: Setting = {},
): PreparedContainer {
  const decoded = decodeCreateBody({ Image: 'busybox', Cmd: ['true'], ...body });
  return configuratorOn(host, containers, initPath).prepare(decoded, { config: image }, ownId, defaults);
}

/** Prepares a body that has only a HostConfig. */
export const prepareHost = (hostConfig: HostConfig | object, setting: Setting = {}): PreparedContainer =>
  prepare({ HostConfig: hostConfig }, setting);

/** The message of the error that a test expects. */
export function refusalOf(attempt: () => unknown): string {
  try {
    attempt();
  } catch (error) {
    if (EngineError.is(error) && error.kind !== 'internal') return error.message;
    throw error;
  }
  return 'nothing wrong';
}
