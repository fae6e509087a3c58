import { type FSWatcher, watch } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@gantry/core/driver';
import { messageOf } from '@gantry/core/errors';
import { activate, PluginClient } from '@gantry/lib-plugin-protocol';
import type { ExternalPlugins, Membership } from '../service.js';
import { findPlugins, type PluginDirectories } from './find-plugins.js';
import { addressOf, type FoundPlugin } from './found-plugin.js';

/** How often the directories are looked into when nothing tells of a change, in milliseconds. */
const lookEvery = 2000;
/** Pauses between tries to reach a plugin that does not answer, in milliseconds. */
const firstPause = 250;
const longestPause = 30_000;
/** How long a file must be missing until its plugin counts as gone: one that restarts makes its socket anew. */
const missingUntilGone = 1500;

interface Known {
  readonly found: FoundPlugin;
  readonly stop: AbortController;
  /** Settles with the first try. */
  readonly tried: Promise<void>;
  membership: Membership | undefined;
  /** Since when its file is missing. */
  missingSince: number | undefined;
}

export interface DiscoveryParts {
  readonly directories: PluginDirectories;
  readonly catalog: ExternalPlugins;
  readonly log: Logger;
  /** Milliseconds. */
  readonly timeout: number;
}

/** Finds plugins that people run by hand, shakes hands with them, and lets them go when their files do. */
export class Discovery {
  readonly #known = new Map<string, Known>();
  readonly #watchers = new Map<string, FSWatcher>();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #isStopped = false;

  constructor(private readonly parts: DiscoveryParts) {}

  /** Resolves when every plugin that is there was tried once, or the time (milliseconds) is over. */
  async start(patience: number): Promise<void> {
    this.#timer = setInterval(() => void this.look(), lookEvery).unref();
    await this.look();
    const late = new AbortController();
    const all = Promise.all([...this.#known.values()].map(({ tried }) => tried));
    await Promise.race([all, delay(patience, undefined, { signal: late.signal }).catch(() => undefined)]);
    late.abort();
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

  /** Compares what is there with what is known. One look at a time. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** A directory that is not there yet is watched once it is. */
  #watch(directory: string): void {
    if (this.#watchers.has(directory)) return;
    try {
      const watcher = watch(directory, { persistent: false }, () => void this.look());
      this.#watchers.set(directory, watcher);
      watcher.on('error', () => {
        watcher.close();
        this.#watchers.delete(directory);
      });
    } catch {
      // The regular look finds what appears in it.
    }
  }

  async #look(): Promise<void> {
    const { sockets, specs } = this.parts.directories;
    for (const directory of [...sockets, ...specs]) this.#watch(directory);
    const found = await findPlugins(this.parts.directories);
    if (this.#isStopped) return;
    for (const [name, known] of this.#known) {
      const now = found.get(name);
      known.missingSince = now?.file === known.found.file ? undefined : (known.missingSince ?? performance.now());
      const missing = known.missingSince === undefined ? 0 : performance.now() - known.missingSince;
      if (missing >= missingUntilGone && known.membership?.inUse === undefined) this.#forget(name, known);
    }
    for (const plugin of found.values()) if (!this.#known.has(plugin.name)) this.#meet(plugin);
  }

  #forget(name: string, known: Known): void {
    known.stop.abort();
    known.membership?.leave();
    this.#known.delete(name);
    this.parts.log.info({ event: 'plugin.left', external: name }, 'plugin left');
  }

  #meet(found: FoundPlugin): void {
    const stop = new AbortController();
    let settle: () => void = () => undefined;
    const tried = new Promise<void>((resolve) => {
      settle = resolve;
    });
    const known: Known = { found, stop, tried, membership: undefined, missingSince: undefined };
    this.#known.set(found.name, known);
    void this.#untilMet(known, settle).finally(settle);
  }

  /** Never rejects. */
  async #untilMet(known: Known, tried: () => void): Promise<void> {
    const { found, stop } = known;
    for (let pause = firstPause; !stop.signal.aborted; pause = Math.min(pause * 2, longestPause)) {
      try {
        known.membership = await this.#join(found, stop.signal);
        if (stop.signal.aborted) known.membership.leave();
        return;
      } catch (error) {
        if (stop.signal.aborted) return;
        const facts = { event: 'plugin.not-met', external: found.name, file: found.file, reason: messageOf(error) };
        this.parts.log.warn(facts, 'a plugin could not be reached');
      }
      tried();
      await delay(pause, undefined, { signal: stop.signal, ref: false }).catch(() => undefined);
    }
  }

  async #join(found: FoundPlugin, signal: AbortSignal): Promise<Membership> {
    const { catalog, timeout } = this.parts;
    const client = new PluginClient(found.name, await addressOf(found), { timeout });
    const protocols = await activate(client, { signal });
    const membership = catalog.add({ name: found.name, aliases: [], client, protocols });
    try {
      await membership.learn();
    } catch (error) {
      membership.leave();
      throw error;
    }
    return membership;
  }
}
