import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@gantry/core/driver';
import { unavailable } from '@gantry/core/errors';
import type { ExternalPlugins, Membership } from '@gantry/external-plugins/service';
import { confinedPaths, type PluginClient, protocolOfType } from '@gantry/lib-plugin-protocol';
import type { PluginFiles } from '../files/plugin-files.js';
import { nameOf, type PluginRecord } from '../store/plugin-record.js';
import type { PluginTask } from '../task/plugin-task.js';

/** Back-off between restarts, in milliseconds. It is reset for a plugin that ran longer than the maximum. */
const minBackoff = 500;
const maxBackoff = 60_000;

/** The path of a FIFO in the plugin's container. */
const pluginLog = (name: string): string => `/run/docker/logging/${name}`;

/** Keeps one enabled plugin running, and in the driver sets. */
export class PluginSupervisor {
  readonly #name: string;
  readonly #client: PluginClient;
  readonly #stopping = new AbortController();
  #membership: Membership | undefined;
  #isUp = false;
  #upSince = 0;
  #backoff = minBackoff;
  #restarting: Promise<void> | undefined;

  constructor(
    private readonly record: PluginRecord,
    private readonly task: PluginTask,
    private readonly files: PluginFiles,
    private readonly external: ExternalPlugins,
    private readonly log: Logger,
  ) {
    this.#name = nameOf(record);
    this.#client = task.client();
  }

  /** What is in use, undefined when nothing is. */
  get inUse(): string | undefined {
    return this.#membership?.inUse;
  }

  /** Starts the plugin and adds its drivers. On rejection nothing is left. */
  async start(): Promise<void> {
    try {
      await this.#run();
      this.#join();
      await this.#membership?.loadCapabilities();
      this.#isUp = true;
    } catch (error) {
      await this.stop();
      throw error;
    }
    // It may have exited before `isUp` was set.
    if (this.task.hasExited) this.#restart();
  }

  /**
   * Resumes the plugin after a restart of the daemon: adds its drivers at once, then adopts the running task, which
   * stops reading the FIFOs of the earlier daemon, or starts a new one. Resolves after the first attempt. Never rejects.
   */
  async resume(abandonedLogs: readonly string[]): Promise<void> {
    try {
      this.#join();
      if (await this.task.isRunning()) {
        await this.task.adopt(this.#stopping.signal);
        await Promise.all(abandonedLogs.map((name) => this.#stopLogging(name)));
      } else await this.#run();
      this.#isUp = true;
      await this.#membership?.loadCapabilities();
    } catch (error) {
      this.#report('plugin.not-resumed', error, 'failed to resume plugin');
    }
    if (!this.#isUp || this.task.hasExited) this.#restart();
  }

  /** The runtime reported the exit of the plugin's task. */
  onExit(exitCode: number): void {
    this.task.onExit(exitCode);
    if (this.#stopping.signal.aborted || !this.#isUp) return;
    this.log.warn({ event: 'plugin.exited', external: this.#name, exitCode }, 'plugin exited; restarting');
    this.#restart();
  }

  /** Removes its drivers and stops the plugin. Idempotent. */
  async stop(): Promise<void> {
    this.#stopping.abort(unavailable(`plugin "${this.#name}" is disabled`));
    this.#membership?.leave();
    this.#membership = undefined;
    await this.#restarting;
    try {
      await this.task.stop();
    } finally {
      await this.files.close(this.record);
    }
  }

  /** Removes its drivers; the plugin continues to run without this daemon. */
  release(): void {
    this.#stopping.abort(unavailable('the engine is stopping'));
    this.#membership?.leave();
  }

  #join(): void {
    const { manifest } = this.record;
    const { propagatedmount: inside } = manifest;
    const { logs, propagated: host, rootfs } = this.files.directoriesOf(this.record);
    this.#membership ??= this.external.add({
      name: this.#name,
      aliases: this.record.tag === 'latest' ? [this.record.repository] : [],
      client: this.#client,
      protocols: manifest.interface.types.flatMap((type) => protocolOfType(type) ?? []),
      paths: confinedPaths(rootfs, inside === '' ? undefined : { inside, host }),
      fifoPlace: (name) => ({ hostPath: path.join(logs, name), pluginPath: pluginLog(name), owner: manifest.user }),
    });
  }

  async #run(): Promise<void> {
    await this.task.run(this.#stopping.signal);
    this.#upSince = performance.now();
  }

  /** The answer does not matter: the FIFO is gone already. */
  async #stopLogging(name: string): Promise<void> {
    await this.#client.call('LogDriver.StopLogging', { File: pluginLog(name) }).catch(() => undefined);
  }

  /** Single-flight. */
  #restart(): void {
    this.#restarting ??= this.#restartUntilUp().finally(() => {
      this.#restarting = undefined;
      // It may have exited again meanwhile.
      if (this.task.hasExited && !this.#stopping.signal.aborted) this.#restart();
    });
  }

  /** Never rejects. */
  async #restartUntilUp(): Promise<void> {
    const { signal } = this.#stopping;
    if (performance.now() - this.#upSince > maxBackoff) this.#backoff = minBackoff;
    this.#isUp = false;
    for (; !signal.aborted; this.#backoff = Math.min(this.#backoff * 2, maxBackoff)) {
      await delay(this.#backoff, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await this.#run();
        this.#isUp = true;
        this.#backoff = Math.min(this.#backoff * 2, maxBackoff);
        await this.#membership?.loadCapabilities();
        return;
      } catch (error) {
        if (!signal.aborted) this.#report('plugin.not-restarted', error, 'failed to restart plugin');
        if (this.#isUp) return;
      }
    }
  }

  #report(event: string, error: unknown, message: string): void {
    this.log.warn({ event, external: this.#name, error }, message);
  }
}
