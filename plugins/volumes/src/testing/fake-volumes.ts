import type { DriverVolume, VolumeCapabilities, VolumeDriver } from '@gantry/core/contracts';
import { VolumeDrivers } from '@gantry/core/contracts';
import { type DriverDefinition, defineDriver } from '@gantry/core/driver';
import { conflict, invalidArgument, notFound } from '@gantry/core/errors';
import { Type } from '@sinclair/typebox';

/** Volumes that are names. Outlives the engines of one test, as a disk does, and can be made to hang or fail. */
export class FakeVolumes implements VolumeDriver {
  readonly capabilities: VolumeCapabilities;
  readonly volumes = new Map<string, Set<string>>();
  /** Names, one for each call. */
  readonly created: string[] = [];
  /** Neither `list` nor `get` answers. */
  hangs = false;
  /** What the next removal rejects with, having removed the volume: the daemon's end in the middle of it. */
  failAfterRemoval: Error | undefined;

  constructor(scope: VolumeCapabilities['scope'] = 'local') {
    this.capabilities = { scope, usage: false };
  }

  async create(name: string, options: Readonly<Record<string, string>>): Promise<void> {
    const [option] = Object.keys(options).filter((key) => key !== 'color');
    if (option !== undefined) throw invalidArgument(`invalid option: "${option}"`);
    this.created.push(name);
    if (!this.volumes.has(name)) this.volumes.set(name, new Set());
  }

  async remove(name: string): Promise<void> {
    if (this.#users(name).size > 0) throw conflict(`remove ${name}: volume is in use`);
    this.volumes.delete(name);
    const failure = this.failAfterRemoval;
    this.failAfterRemoval = undefined;
    if (failure !== undefined) throw failure;
  }

  async get(name: string): Promise<DriverVolume> {
    if (this.hangs) await new Promise(() => undefined);
    this.#users(name);
    return { name, mountpoint: `/fake/${name}` };
  }

  async list(): Promise<readonly DriverVolume[]> {
    if (this.hangs) await new Promise(() => undefined);
    return [...this.volumes.keys()].map((name) => ({ name, mountpoint: `/fake/${name}` }));
  }

  async mount(name: string, user: string): Promise<string> {
    this.#users(name).add(user);
    return `/fake/${name}`;
  }

  async unmount(name: string, user: string): Promise<void> {
    this.volumes.get(name)?.delete(user);
  }

  #users(name: string): Set<string> {
    const users = this.volumes.get(name);
    if (users === undefined) throw notFound(`no volume ${name} here`);
    return users;
  }
}

/** The definition that hands out a given driver, under an id. */
export const fakeVolumes = (id: string, driver: FakeVolumes): DriverDefinition<FakeVolumes> =>
  defineDriver({ id, provides: VolumeDrivers as never, configSchema: Type.Object({}), create: () => driver });
