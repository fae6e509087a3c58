import { type FSWatcher, watch } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Config, inject, injectable, Logger, settlesWithin } from '@gantry/core/driver';
import { kindOf } from '@gantry/core/errors';
import { activate, PluginClient } from '@gantry/lib-plugin-protocol';
import type { ExternalPluginsConfig } from '../config.js';
import { ExternalPluginsService } from '../external-plugins-service.js';
import type { Membership } from '../service.js';
import { addressOf, type FoundPlugin } from './address-of.js';
import { findPlugins, type PluginDirectories } from './find-plugins.js';
import { RecentDepartures } from './recent-departures.js';

/** Between scans without a change notification, in milliseconds. */
const scanInterval = 2000;
/** Back-off between attempts to activate a plugin, in milliseconds. */
const minBackoff = 250;
const maxBackoff = 30_000;
/** A plugin leaves when its file is missing for this time: a restarting plugin recreates its socket. */
const missingTimeout = 1500;
/** Back-off while a request waits for a plugin, in milliseconds. */
const minLookupBackoff = 100;
const maxLookupBackoff = 4000;

interface Known {
  readonly found: FoundPlugin;
  readonly stop: AbortController;
  /** Settles with the first attempt to activate it. */
  readonly attempted: Promise<void>;
  membership: Membership | undefined;
  /** As it was found last; undefined: its capabilities are to be queried again. */
  socket: string | undefined;
  /** When its file was first found missing. */
  missingSince: number | undefined;
  /** Aborts the back-off before the next attempt. */
  retryNow: AbortController;
  /** It answered, but not as a plugin: another attempt is of no use to a request. */
  isRefused: boolean;
}

/** Finds plugins by their socket and address files, activates them, and removes them when their files disappear. */
@injectable()
export class PluginDiscovery {
  readonly #known = new Map<string, Known>();
  readonly #left: RecentDepartures;
  readonly #watchers = new Map<string, FSWatcher>();
  #timer: NodeJS.Timeout | undefined;
  #scanning: Promise<void> | undefined;
  #isStopped = false;

  readonly #directories: PluginDirectories;

  constructor(
    @inject(Config) private readonly config: ExternalPluginsConfig,
    @inject(ExternalPluginsService) private readonly plugins: ExternalPluginsService,
    @inject(Logger) private readonly log: Logger,
  ) {
    this.#left = new RecentDepartures(config.lookupSeconds * 1000);
    this.#directories = { sockets: config.socketDirectories, specs: config.specDirectories };
  }

  /** Resolves when the activation of every plugin was attempted once, at the latest after the timeout (milliseconds). */
  async start(timeout: number): Promise<void> {
    this.#timer = setInterval(() => void this.scan(), scanInterval).unref();
    await this.scan();
    await settlesWithin(Promise.all([...this.#known.values()].map(({ attempted }) => attempted)), timeout);
  }

  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#timer);
    for (const watcher of this.#watchers.values()) watcher.close();
    for (const known of this.#known.values()) {
      known.stop.abort();
      known.membership?.leave();
    }
    this.#known.clear();
  }

  /**
   * Resolves when the plugin has joined, or will not: it has no file, does not speak the protocol, or was unreachable for
   * the lookup time.
   */
  async find(name: string): Promise<void> {
    const end = performance.now() + this.config.lookupSeconds * 1000;
    for (let backoff = minLookupBackoff; !this.#isStopped; backoff = Math.min(backoff * 2, maxLookupBackoff)) {
      await this.#scanning;
      await this.scan();
      const known = this.#known.get(name);
      if (known !== undefined) await known.attempted;
      if (known?.membership !== undefined || known?.isRefused === true) return;
      const isExpected = known !== undefined || this.#left.has(name);
      if (!isExpected || performance.now() + backoff > end) return;
      await delay(backoff, undefined, { ref: false });
      known?.retryNow.abort();
    }
  }

  /** Compares the files with the known plugins. Single-flight. */
  scan(): Promise<void> {
    this.#scanning ??= this.#scan().finally(() => {
      this.#scanning = undefined;
    });
    return this.#scanning;
  }

  /** A directory that does not exist is watched by a later scan. */
  #watch(directory: string): void {
    if (this.#watchers.has(directory)) return;
    try {
      const watcher = watch(directory, { persistent: false }, () => void this.scan());
      this.#watchers.set(directory, watcher);
      watcher.on('error', () => {
        watcher.close();
        this.#watchers.delete(directory);
      });
    } catch {
      // The next regular scan tries again.
    }
  }

  async #scan(): Promise<void> {
    for (const directory of [...this.#directories.sockets, ...this.#directories.specs]) this.#watch(directory);
    const found = await findPlugins(this.#directories);
    if (this.#isStopped) return;
    for (const [name, known] of this.#known) {
      const now = found.get(name);
      known.missingSince = now?.file === known.found.file ? undefined : (known.missingSince ?? performance.now());
      const missing = known.missingSince === undefined ? 0 : performance.now() - known.missingSince;
      if (now?.file === known.found.file && now.socket !== known.socket) this.#reload(known, now);
      if (missing >= missingTimeout && known.membership?.inUse === undefined) this.#remove(name, known);
    }
    for (const plugin of found.values()) if (!this.#known.has(plugin.name)) this.#add(plugin);
  }

  /** A plugin that has restarted may have other capabilities, and knows nothing of what it was sent before. */
  #reload(known: Known, { name, socket }: FoundPlugin): void {
    known.socket = socket;
    known.membership?.loadCapabilities().catch((error: unknown) => {
      known.socket = undefined;
      if (known.stop.signal.aborted) return;
      const facts = { event: 'plugin.not-queried', external: name, error };
      this.log.warn(facts, 'failed to query the capabilities of a plugin that has restarted; retrying');
    });
  }

  #remove(name: string, known: Known): void {
    known.stop.abort();
    known.membership?.leave();
    this.#known.delete(name);
    this.#left.add(name);
    this.log.info({ event: 'plugin.left', external: name }, 'plugin left');
  }

  #add(found: FoundPlugin): void {
    const stop = new AbortController();
    let settle: () => void = () => undefined;
    const attempted = new Promise<void>((resolve) => {
      settle = resolve;
    });
    const retryNow = new AbortController();
    const state = { membership: undefined, missingSince: undefined, isRefused: false, socket: found.socket };
    const known: Known = { found, stop, attempted, retryNow, ...state };
    this.#known.set(found.name, known);
    void this.#activateWithRetry(known, settle).finally(settle);
  }

  /** Never rejects. */
  async #activateWithRetry(known: Known, attempted: () => void): Promise<void> {
    const { found, stop } = known;
    for (let backoff = minBackoff; !stop.signal.aborted; backoff = Math.min(backoff * 2, maxBackoff)) {
      try {
        known.membership = await this.#activate(found, stop.signal);
        if (stop.signal.aborted) known.membership.leave();
        return;
      } catch (error) {
        if (stop.signal.aborted) return;
        known.isRefused = kindOf(error) !== 'unavailable';
        const facts = { event: 'plugin.unreachable', external: found.name, file: found.file, error };
        this.log.warn(facts, 'failed to activate plugin; retrying');
      }
      attempted();
      known.retryNow = new AbortController();
      const signal = AbortSignal.any([stop.signal, known.retryNow.signal]);
      await delay(backoff, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async #activate(found: FoundPlugin, signal: AbortSignal): Promise<Membership> {
    const timeout = this.config.callTimeoutSeconds * 1000;
    const address = await addressOf(found);
    // The attempt is repeated here, so it does not retry itself.
    const probe = new PluginClient(found.name, address, { timeout, connectTimeout: 0 });
    const protocols = await activate(probe, { signal });
    const client = new PluginClient(found.name, address, { timeout });
    const membership = this.plugins.add({ name: found.name, aliases: [], client, protocols });
    try {
      await membership.loadCapabilities();
    } catch (error) {
      membership.leave();
      throw error;
    }
    return membership;
  }
}
