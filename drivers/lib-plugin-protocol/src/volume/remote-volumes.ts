import type { DriverVolume, VolumeCapabilities, VolumeDriver } from '@gantry/core/contracts';
import { conflict, EngineError, internal, kindOf, notFound } from '@gantry/core/errors';
import { capabilitiesOf } from '../client/capabilities-of.js';
import { asList, asObject, asText } from '../client/plugin-answer.js';
import type { PluginClient } from '../client/plugin-client.js';
import { hostPaths, type PluginPaths } from './plugin-paths.js';

/** For calls that may access a backing store, in milliseconds. */
const storeTimeout = 120_000;

/** A plugin as a volume driver. */
export class RemoteVolumes implements VolumeDriver {
  #scope: VolumeCapabilities['scope'] = 'local';
  /** Host paths of mounted volumes, by volume name and user. */
  readonly #mounts = new Map<string, Map<string, string>>();

  constructor(
    private readonly client: PluginClient,
    private readonly paths: PluginPaths = hostPaths,
  ) {}

  get capabilities(): VolumeCapabilities {
    return { scope: this.#scope, usage: false };
  }

  /** The mounted volumes, with the containers that use them. */
  get uses(): readonly string[] {
    return [...this.#mounts].map(([name, users]) => `volume ${name} by ${[...users.keys()].join(', ')}`);
  }

  /** Queries the plugin's capabilities; the default scope is local. */
  async loadCapabilities(): Promise<void> {
    const answer = await capabilitiesOf(this.client, 'VolumeDriver.Capabilities');
    this.#scope = asText(asObject(answer.Capabilities)?.Scope)?.toLowerCase() === 'global' ? 'global' : 'local';
  }

  async create(name: string, options: Readonly<Record<string, string>>): Promise<void> {
    await this.client.call('VolumeDriver.Create', { Name: name, Opts: options }, { timeout: storeTimeout });
  }

  async remove(name: string): Promise<void> {
    const users = this.#mounts.get(name);
    if (users !== undefined) throw conflict(`remove ${name}: volume is in use - [${[...users.keys()].join(', ')}]`);
    try {
      await this.client.call('VolumeDriver.Remove', { Name: name }, { timeout: storeTimeout });
    } catch (error) {
      throw isAbsence(error) ? notFound(`get ${name}: no such volume`, { cause: error }) : error;
    }
  }

  async get(name: string): Promise<DriverVolume> {
    try {
      const { Volume } = await this.client.call('VolumeDriver.Get', { Name: name });
      const volume = this.#toVolume(Volume);
      if (volume?.name === name) return volume;
    } catch (error) {
      if (!isAbsence(error)) throw error;
    }
    throw notFound(`get ${name}: no such volume`);
  }

  async list(): Promise<readonly DriverVolume[]> {
    const { Volumes } = await this.client.call('VolumeDriver.List');
    return asList(Volumes).flatMap((value) => this.#toVolume(value) ?? []);
  }

  async mount(name: string, user: string, options: { readonly signal?: AbortSignal } = {}): Promise<string> {
    const known = this.#mounts.get(name)?.get(user);
    if (known !== undefined) return known;
    const { Mountpoint } = await this.client.call(
      'VolumeDriver.Mount',
      { Name: name, ID: user },
      { ...options, timeout: storeTimeout },
    );
    const path = this.#toPath(Mountpoint);
    if (path === undefined) throw internal(`VolumeDriver.Mount: the plugin answered no path for ${name}`);
    await this.paths.verify(path);
    this.#mounts.set(name, (this.#mounts.get(name) ?? new Map<string, string>()).set(user, path));
    return path;
  }

  async unmount(name: string, user: string): Promise<void> {
    const users = this.#mounts.get(name);
    const isKnown = users?.has(user) ?? false;
    try {
      await this.client.call('VolumeDriver.Unmount', { Name: name, ID: user }, { timeout: storeTimeout });
    } catch (error) {
      // Not mounted by this daemon: it may not be mounted at all.
      if (isKnown || kindOf(error) !== 'internal') throw error;
    }
    users?.delete(user);
    if (users?.size === 0) this.#mounts.delete(name);
  }

  #toVolume(value: unknown): DriverVolume | undefined {
    const fields = asObject(value);
    const name = asText(fields?.Name);
    if (fields === undefined || name === undefined) return undefined;
    const status = asObject(fields.Status);
    return {
      name,
      mountpoint: this.#toPath(fields.Mountpoint),
      ...(status !== undefined && { status }),
    };
  }

  #toPath(value: unknown): string | undefined {
    const path = asText(value);
    return path === undefined ? undefined : this.paths.toHost(path);
  }
}

/** Whether the plugin's message means that there is no such volume. */
const isAbsence = (error: unknown): boolean =>
  EngineError.is(error) &&
  error.kind === 'internal' &&
  /not found|no such|not exist|unknown volume|not known/i.test(error.message);
