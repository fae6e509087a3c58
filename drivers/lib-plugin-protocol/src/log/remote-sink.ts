import { chown, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { LogBatch, LogContainer, LogSink } from '@gantry/core/contracts';
import { unavailable } from '@gantry/core/errors';
import { kernelFiles } from '@gantry/lib-linux/files';
import type { PluginClient } from '../client/plugin-client.js';
import { FifoWriter } from './fifo-writer.js';
import { encodeEntry } from './log-entry.js';
import { toLogInfo } from './log-info.js';
import { RecentWrites } from './recent-writes.js';

/** How long a plugin may take to open its end, and may read nothing, in milliseconds. */
const patience = 5000;
/** How long whoever closes a log waits for a plugin that does not say it has all of it, in milliseconds. */
const closingPatience = 1000;

/** Where a FIFO is, for the engine and for the plugin. */
export interface FifoPlace {
  readonly hostPath: string;
  readonly pluginPath: string;
  /** Whom the plugin runs as. Default: root. */
  readonly owner?: { readonly uid: number; readonly gid: number };
}

/**
 * The writing side of one container's log: a FIFO that the plugin reads. Made anew when the plugin has gone. The batch
 * then comes again, and before it what the plugin had not read or only just read: that may come twice.
 */
export class RemoteSink implements LogSink {
  readonly dropped = 0;
  #writer: FifoWriter | undefined;
  #recent = new RecentWrites();
  /** What a plugin that has gone may not have kept. */
  #again: readonly Buffer[] = [];
  #closing: Promise<void> | undefined;
  readonly #ending = new AbortController();

  constructor(
    private readonly client: PluginClient,
    private readonly container: LogContainer,
    private readonly place: FifoPlace,
    private readonly onClosed: () => void,
  ) {}

  /** Makes the FIFO and has the plugin open it. On rejection nothing is left. */
  async start(): Promise<void> {
    const { hostPath, owner, pluginPath } = this.place;
    await mkdir(path.dirname(hostPath), { recursive: true, mode: 0o700 });
    await rm(hostPath, { force: true });
    kernelFiles.makeFifo(hostPath, 0o600);
    try {
      if (owner !== undefined) await chown(hostPath, owner.uid, owner.gid);
      const { signal } = this.#ending;
      await this.client.call(
        'LogDriver.StartLogging',
        { File: pluginPath, Info: toLogInfo(this.container) },
        { signal },
      );
      this.#writer = await FifoWriter.open(hostPath, patience, signal);
    } catch (error) {
      await this.#giveUp();
      throw error;
    }
  }

  async write(batch: LogBatch): Promise<void> {
    if (this.#closing !== undefined) throw unavailable('the log is closed');
    if (this.#writer === undefined) await this.start();
    const bytes = Buffer.concat([...batch.records()].map(encodeEntry));
    try {
      for (const part of [...this.#again, bytes]) await this.#writer?.write(part, patience, this.#ending.signal);
    } catch (error) {
      // A part of an entry may be in there: the plugin gets a new one.
      const unread = (await this.#writer?.drain().catch(() => 0)) ?? 0;
      this.#again = [...this.#again, ...this.#recent.take(unread)];
      await this.#giveUp();
      throw error;
    }
    for (const part of [...this.#again, bytes]) this.#recent.add(part);
    this.#again = [];
  }

  async resumeAt(): Promise<undefined> {
    return undefined;
  }

  /** Of the container, when the log is on its way to its end: settles when the plugin has all of it. */
  closingOf(containerId: string): Promise<void> | undefined {
    return this.container.id === containerId ? this.#closing : undefined;
  }

  async close(): Promise<void> {
    this.#ending.abort(unavailable('the log is closed'));
    this.#closing ??= this.#stop().finally(this.onClosed);
    const enough = new AbortController();
    const late = delay(closingPatience, undefined, { signal: enough.signal, ref: false }).catch(() => undefined);
    await Promise.race([this.#closing, late]);
    enough.abort();
  }

  /** Unless whoever closes the log does so, and must not be held up. */
  async #giveUp(): Promise<void> {
    if (this.#closing === undefined) await this.#stop();
  }

  async #stop(): Promise<void> {
    const writer = this.#writer;
    this.#writer = undefined;
    await writer?.close().catch(() => undefined);
    // It reads what is in there up to the end, and is told that no more comes; one that has gone needs no telling.
    await this.client
      .call('LogDriver.StopLogging', { File: this.place.pluginPath }, { timeout: patience })
      .catch(() => undefined);
    await rm(this.place.hostPath, { force: true });
  }
}
