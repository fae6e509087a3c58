import { chown, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { LogBatch, LogContainer, LogSink } from '@gantry/core/contracts';
import { settlesWithin } from '@gantry/core/driver';
import { unavailable } from '@gantry/core/errors';
import type { Files } from '@gantry/lib-linux/files';
import type { PluginClient } from '../client/plugin-client.js';
import { FifoWriter } from './fifo-writer.js';
import { encodeEntry } from './log-entry.js';
import { RecentWrites } from './recent-writes.js';
import { toLogInfo } from './to-log-info.js';

/** How long a plugin may take to open the FIFO, and pause reading, in milliseconds. */
const readTimeout = 5000;
/** How long `close` waits for the plugin's answer, in milliseconds. */
const closeTimeout = 1000;

/** The paths of a FIFO, for the engine and for the plugin. */
export interface FifoPlace {
  readonly hostPath: string;
  readonly pluginPath: string;
  /** The plugin's user. Default: root. */
  readonly owner?: { readonly uid: number; readonly gid: number };
}

/**
 * The writing side of one container's log: a FIFO that the plugin reads, recreated when the plugin dies. The failed batch
 * is then written again, after the entries that the plugin may have lost; entries may come twice.
 */
export class RemoteSink implements LogSink {
  readonly dropped = 0;
  #writer: FifoWriter | undefined;
  #recent = new RecentWrites();
  /** Writes that a plugin that died may have lost. */
  #lost: readonly Buffer[] = [];
  #closing: Promise<void> | undefined;
  readonly #ending = new AbortController();

  constructor(
    private readonly client: PluginClient,
    private readonly files: Files,
    private readonly container: LogContainer,
    private readonly place: FifoPlace,
    private readonly onClosed: () => void,
  ) {}

  /** Creates the FIFO and asks the plugin to open it. On rejection nothing is left. */
  async start(): Promise<void> {
    const { hostPath, owner, pluginPath } = this.place;
    await mkdir(path.dirname(hostPath), { recursive: true, mode: 0o700 });
    await rm(hostPath, { force: true });
    this.files.makeFifo(hostPath, 0o600);
    try {
      if (owner !== undefined) await chown(hostPath, owner.uid, owner.gid);
      const { signal } = this.#ending;
      await this.client.call(
        'LogDriver.StartLogging',
        { File: pluginPath, Info: toLogInfo(this.container) },
        { signal },
      );
      this.#writer = await FifoWriter.open(hostPath, readTimeout, signal);
    } catch (error) {
      await this.#abandon();
      throw error;
    }
  }

  get containerId(): string {
    return this.container.id;
  }

  async write(batch: LogBatch): Promise<void> {
    if (this.#closing !== undefined) throw unavailable('the log is closed');
    if (this.#writer === undefined) await this.start();
    const bytes = Buffer.concat([...batch.records()].map(encodeEntry));
    try {
      for (const part of [...this.#lost, bytes]) await this.#writer?.write(part, readTimeout, this.#ending.signal);
    } catch (error) {
      // The FIFO may hold part of an entry, so the next write uses a new one.
      const unread = (await this.#writer?.drain().catch(() => 0)) ?? 0;
      this.#lost = [...this.#lost, ...this.#recent.drainLost(unread)];
      await this.#abandon();
      throw error;
    }
    for (const part of [...this.#lost, bytes]) this.#recent.add(part);
    this.#lost = [];
  }

  async resumeAt(): Promise<undefined> {
    return undefined;
  }

  /** While the log of this container is being closed: settles when the plugin has all entries. */
  closing(containerId: string): Promise<void> | undefined {
    return this.container.id === containerId ? this.#closing : undefined;
  }

  async close(): Promise<void> {
    this.#ending.abort(unavailable('the log is closed'));
    this.#closing ??= this.#stop().finally(this.onClosed);
    await settlesWithin(this.#closing, closeTimeout);
  }

  /** Stops logging, unless `close` does so already. */
  async #abandon(): Promise<void> {
    if (this.#closing === undefined) await this.#stop();
  }

  async #stop(): Promise<void> {
    const writer = this.#writer;
    this.#writer = undefined;
    await writer?.close().catch(() => undefined);
    // The plugin reads the FIFO to its end and then answers; an unreachable plugin is ignored.
    await this.client
      .call('LogDriver.StopLogging', { File: this.place.pluginPath }, { timeout: readTimeout })
      .catch(() => undefined);
    await rm(this.place.hostPath, { force: true });
  }
}
