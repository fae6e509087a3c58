import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { PathChange, StorageDriver } from '@gantry/core/contracts';
import { conflict, internal, notFound } from '@gantry/core/errors';
import type { Image, ImageService } from '@gantry/images/service';
import type { EndpointService, Network, NetworkService, SandboxService } from '@gantry/networks/service';
import type { Volume, VolumeService, VolumeUsers } from '@gantry/volumes/service';
import { endpoint } from './endpoint.js';

/** Such an id names a network of a swarm, which all hosts are part of. */
const isSwarmId = /^[a-z0-9]{25}$/;

const swarmNetwork = (id: string): Network => ({
  id,
  name: id,
  driver: 'overlay',
  scope: 'swarm',
  predefined: false,
  hostStack: false,
  userDefined: true,
});

/**
 * What containers depend on, in memory: storage, images, volumes, networks. It outlives the engines of one test, as a
 * host does. Each step can be made to fail, and what is held can be inspected.
 */
export class FakeHost {
  /** Steps that fail, by name such as `storage.mount`; taken out when they have failed. */
  readonly failing = new Set<string>();
  readonly writables = new Set<string>();
  readonly mounted = new Set<string>();
  readonly volumes = new Map<string, Set<string>>();
  /** Of each volume when a container was created with it last. */
  readonly usersWhenEnsured = new Map<string, readonly string[]>();
  readonly sandboxes = new Set<string>();
  /** What containers are said to have changed. */
  changes: readonly PathChange[] = [];
  /** Ids that the networks were asked to restore at the last start. */
  restored: readonly string[] = [];
  readonly #roots: string;
  #volumeUsers: VolumeUsers | undefined;

  /** @param directory for root file systems and volumes. */
  constructor(directory: string) {
    this.#roots = directory;
  }

  /** Everything that only a running container may hold. */
  get held(): readonly string[] {
    const volumes = [...this.volumes].flatMap(([name, users]) => [...users].map((user) => `volume ${name} ${user}`));
    return [
      ...[...this.mounted].map((id) => `mount ${id}`),
      ...[...this.sandboxes].map((id) => `sandbox ${id}`),
      ...volumes,
    ];
  }

  step(name: string): void {
    if (this.failing.delete(name)) throw internal(`${name} failed as the test requires`);
  }

  rootOf(id: string): string {
    return path.join(this.#roots, id);
  }

  readonly storage: StorageDriver = {
    capabilities: { quota: false, copyOnWrite: true },
    status: () => [],
    applyLayer: refuse,
    removeLayer: refuse,
    layers: async () => [],
    layerTar: refuse,
    createWritable: async ({ id }) => {
      this.step('storage.createWritable');
      if (this.writables.has(id)) throw conflict(`writable ${id} exists`);
      await mkdir(this.rootOf(id), { recursive: true });
      this.writables.add(id);
    },
    removeWritable: async (id) => {
      this.step('storage.removeWritable');
      this.mounted.delete(id);
      this.writables.delete(id);
      await rm(this.rootOf(id), { recursive: true, force: true });
    },
    writables: async () => [...this.writables].map((id) => ({ id, parent: undefined })),
    mount: async (id) => {
      this.step('storage.mount');
      if (!this.writables.has(id)) throw notFound(`no writable ${id}`);
      this.mounted.add(id);
      return this.rootOf(id);
    },
    unmount: async (id) => {
      this.mounted.delete(id);
    },
    changes: async () => this.changes,
    diff: refuse,
    layerSize: async () => 0,
    writableSize: async () => 0,
    describe: async () => ({}),
  };

  readonly images: ImageService = {
    count: 1,
    get: (reference) => {
      if (!['busybox', 'busybox:latest', image.id].includes(reference)) {
        throw notFound(`No such image: ${reference.includes(':') ? reference : `${reference}:latest`}`);
      }
      return image;
    },
    byId: (id) => (id === image.id ? image : undefined),
    descendants: () => new Set([image.id]),
    hold: () => () => undefined,
    import: refuse,
    collect: async () => undefined,
    diskUsage: () => ({ layersSize: 0, images: [] }),
    addUsers: () => () => undefined,
  };

  readonly volumeService: VolumeService = {
    ensure: async ({ name = 'generated' }) => {
      this.step('volumes.ensure');
      this.usersWhenEnsured.set(name, this.#volumeUsers?.usersOf(name) ?? []);
      if (!this.volumes.has(name)) {
        await mkdir(this.rootOf(`volume-${name}`), { recursive: true });
        this.volumes.set(name, new Set());
      }
      return this.#volume(name);
    },
    get: async (name) => this.#volume(name),
    mount: async (name, { containerId }) => {
      this.step('volumes.mount');
      this.volumes.get(name)?.add(containerId);
      return this.rootOf(`volume-${name}`);
    },
    unmount: async (name, { containerId }) => {
      this.volumes.get(name)?.delete(containerId);
    },
    remove: async (name) => {
      const users = [...(this.volumes.get(name) ?? []), ...(this.#volumeUsers?.usersOf(name) ?? [])];
      if (users.length > 0) throw conflict(`remove ${name}: volume is in use - [${users.join(', ')}]`);
      this.volumes.delete(name);
    },
    restore: async () => undefined,
    diskUsage: async () => [],
    addUsers: (users) => {
      this.#volumeUsers = users;
      return () => undefined;
    },
  };

  readonly networks: NetworkService = {
    get: (reference) => {
      if (isSwarmId.test(reference)) return swarmNetwork(reference);
      if (!['bridge', 'bridge-id', 'none', 'host'].includes(reference))
        throw notFound(`network ${reference} not found`);
      const name = reference.replace('-id', '');
      return {
        id: `${name}-id`,
        name,
        driver: name,
        scope: 'local',
        predefined: true,
        hostStack: name === 'host',
        userDefined: false,
      };
    },
    addContainers: () => () => undefined,
  };

  readonly endpointService: EndpointService = {
    endpointsOf: (id) => (this.sandboxes.has(id) ? [endpoint({ id })] : []),
    connect: async (id) => endpoint({ id }),
    disconnect: async () => undefined,
    disconnectAbsent: refuse,
  };

  readonly sandboxService: SandboxService = {
    open: async ({ container }) => {
      this.step('networks.open');
      if (this.sandboxes.has(container.id)) throw conflict('calls overlap');
      this.sandboxes.add(container.id);
      return { path: `/proc/self/ns/net`, endpoints: this.endpointService.endpointsOf(container.id), resolvConf: '' };
    },
    close: async (id) => {
      this.sandboxes.delete(id);
    },
    renamed: async () => undefined,
    restore: async (live) => {
      this.restored = live;
      for (const id of this.sandboxes) if (!live.includes(id)) this.sandboxes.delete(id);
    },
  };

  #volume(name: string): Volume {
    if (!this.volumes.has(name)) throw notFound(`get ${name}: no such volume`);
    const mountpoint = this.rootOf(`volume-${name}`);
    return { name, driver: 'local', mountpoint, labels: {}, options: {}, createdAt: '', scope: 'local' };
  }
}

const image: Image = {
  id: `sha256:${'b'.repeat(64)}`,
  tags: ['busybox:latest'],
  digests: [],
  config: { Env: ['PATH=/bin'], Cmd: ['sh'] },
  architecture: 'amd64',
  os: 'linux',
  size: 0,
  topLayer: undefined,
};

function refuse(): never {
  throw internal('the fake host cannot do this');
}
