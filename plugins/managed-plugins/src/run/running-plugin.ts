import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { RuntimeDriver } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import type { Logger } from '@gantry/core/driver';
import { messageOf, unavailable } from '@gantry/core/errors';
import type { ExternalPlugins, Membership } from '@gantry/external-plugins/service';
import { activate, confinedPaths, PluginClient, protocolOfType } from '@gantry/lib-plugin-protocol';
import type { ManagedPluginsConfig } from '../config.js';
import { nameOf, type PluginRecord, taskIdOf } from '../record.js';
import { logOutput } from './log-output.js';
import { closePlace, openPlace, type PluginDirectories, type PluginPlace, placeOf } from './place.js';
import { pluginSpec } from './spec.js';

export interface RunParts {
  readonly runtime: RuntimeDriver;
  readonly external: ExternalPlugins;
  readonly config: ManagedPluginsConfig;
  readonly directories: PluginDirectories;
  readonly log: Logger;
}

/** Pauses before a plugin that died is started again, in milliseconds. One that lived as long as the longest is new. */
const firstPause = 500;
const longestPause = 60_000;

/** Where a plugin sees the FIFO of that name. */
const pluginLog = (name: string): string => `/run/docker/logging/${name}`;

/** One enabled plugin: its task, its place in the driver sets, and its restarts. */
export class RunningPlugin {
  readonly #name: string;
  readonly #task: string;
  readonly #place: PluginPlace;
  readonly #socketPath: string;
  readonly #client: PluginClient;
  readonly #ending = new AbortController();
  #membership: Membership | undefined;
  /** Aborts when the task of now ends. */
  #life = new AbortController();
  #isUp = false;
  #upAt = 0;
  #pause = firstPause;
  #reviving: Promise<void> | undefined;

  constructor(
    private readonly record: PluginRecord,
    private readonly parts: RunParts,
  ) {
    this.#name = nameOf(record);
    this.#task = taskIdOf(record);
    this.#place = placeOf(parts.directories, record.id);
    this.#socketPath = path.join(this.#place.sockets, record.manifest.interface.socket);
    const timeout = parts.config.callTimeoutSeconds * 1000;
    this.#client = new PluginClient(this.#name, { socketPath: this.#socketPath }, { timeout });
  }

  /** What is in use of it; undefined when nothing is. */
  get inUse(): string | undefined {
    return this.#membership?.inUse;
  }

  /** Starts it and takes it into the driver sets. On rejection nothing is left. */
  async begin(): Promise<void> {
    try {
      await this.#run();
      this.#join();
      await this.#membership?.learn();
      this.#isUp = true;
    } catch (error) {
      await this.end();
      throw error;
    }
    // It may have ended at the very last moment.
    if (this.#life.signal.aborted) this.#revive();
  }

  /**
   * After a restart of the daemon: its drivers are there at once, also when it does not answer yet. One that runs goes
   * on, and lets go of the FIFOs the earlier daemon wrote to; any other is started. Resolves after the first try. Never
   * rejects.
   */
  async comeBack(abandonedLogs: readonly string[]): Promise<void> {
    try {
      this.#join();
      if (await this.#isRunning()) await this.#adopt(abandonedLogs);
      else await this.#run();
      this.#isUp = true;
      await this.#membership?.learn();
    } catch (error) {
      this.#report('plugin.not-back', error, 'a plugin did not come back');
    }
    if (!this.#isUp || this.#life.signal.aborted) this.#revive();
  }

  /** Its task has ended. */
  exited(exitCode: number): void {
    this.#life.abort(unavailable(`plugin "${this.#name}" ended with exit code ${exitCode}`));
    if (this.#ending.signal.aborted || !this.#isUp) return;
    this.#report('plugin.died', this.#life.signal.reason, 'a plugin died and is started again');
    this.#revive();
  }

  /** Takes it out of the driver sets and ends it. Twice: resolves. */
  async end(): Promise<void> {
    this.#ending.abort(unavailable(`plugin "${this.#name}" is disabled`));
    this.#membership?.leave();
    this.#membership = undefined;
    await this.#reviving;
    try {
      await this.#stop();
    } finally {
      await closePlace(this.#place);
    }
  }

  /** Lets it go on without this daemon. */
  release(): void {
    this.#ending.abort(unavailable('the engine is stopping'));
    this.#membership?.leave();
  }

  #join(): void {
    const { manifest } = this.record;
    const { propagatedmount: inside } = manifest;
    const { propagated: host, rootfs } = this.#place;
    this.#membership ??= this.parts.external.add({
      name: this.#name,
      aliases: this.record.tag === 'latest' ? [this.record.repository] : [],
      client: this.#client,
      protocols: manifest.interface.types.flatMap((type) => protocolOfType(type) ?? []),
      paths: confinedPaths(rootfs, inside === '' ? undefined : { inside, host }),
      fifoPlace: (name) => ({
        hostPath: path.join(this.#place.logs, name),
        pluginPath: pluginLog(name),
        owner: manifest.user,
      }),
    });
  }

  async #isRunning(): Promise<boolean> {
    const status = await this.parts.runtime.status(this.#task).catch(() => undefined);
    return status?.status === 'running';
  }

  async #adopt(abandonedLogs: readonly string[]): Promise<void> {
    await openPlace(this.#place, this.record);
    this.#life = new AbortController();
    void logOutput(this.parts.runtime, this.#task, this.#name, this.parts.log);
    await this.#shakeHands();
    await Promise.all(abandonedLogs.map((name) => this.#stopLogging(name)));
  }

  /** What the plugin says to it changes nothing. */
  async #stopLogging(name: string): Promise<void> {
    await this.#client.call('LogDriver.StopLogging', { File: pluginLog(name) }).catch(() => undefined);
  }

  /** From nothing to a plugin that answers. */
  async #run(): Promise<void> {
    const { config, log, runtime } = this.parts;
    await runtime.delete(this.#task, { force: true });
    await openPlace(this.#place, this.record);
    await rm(this.#socketPath, { force: true });
    const spec = await pluginSpec(this.record.manifest, this.#place, `${config.cgroupParent}/${this.#task}`);
    this.#life = new AbortController();
    await runtime.create({ id: this.#task, spec, openStdin: false, stdinOnce: false, spool: undefined });
    crashPoint('plugin.run.created');
    void logOutput(runtime, this.#task, this.#name, log);
    await runtime.startTask(this.#task);
    crashPoint('plugin.run.started');
    await this.#shakeHands();
    this.#upAt = performance.now();
  }

  async #shakeHands(): Promise<void> {
    const timeout = this.parts.config.enableTimeoutSeconds * 1000;
    const patient = new PluginClient(this.#name, { socketPath: this.#socketPath }, { timeout, patience: timeout });
    await activate(patient, { signal: AbortSignal.any([this.#life.signal, this.#ending.signal]) });
  }

  #revive(): void {
    this.#reviving ??= this.#untilUp().finally(() => {
      this.#reviving = undefined;
      // It may have died while it was being called alive.
      if (this.#life.signal.aborted && !this.#ending.signal.aborted) this.#revive();
    });
  }

  /** Never rejects. */
  async #untilUp(): Promise<void> {
    const { signal } = this.#ending;
    if (performance.now() - this.#upAt > longestPause) this.#pause = firstPause;
    this.#isUp = false;
    for (; !signal.aborted; this.#pause = Math.min(this.#pause * 2, longestPause)) {
      await delay(this.#pause, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await this.#run();
        this.#isUp = true;
        this.#pause = Math.min(this.#pause * 2, longestPause);
        await this.#membership?.learn();
        return;
      } catch (error) {
        if (!signal.aborted) this.#report('plugin.not-up', error, 'a plugin could not be started again');
        if (this.#isUp) return;
      }
    }
  }

  async #stop(): Promise<void> {
    const { config, runtime } = this.parts;
    if (await this.#isRunning()) {
      await runtime.kill(this.#task, 15).catch(() => undefined);
      await delay(config.stopTimeoutSeconds * 1000, undefined, { signal: this.#life.signal }).catch(() => undefined);
    }
    await runtime.delete(this.#task, { force: true });
  }

  #report(event: string, error: unknown, words: string): void {
    this.parts.log.warn({ event, external: this.#name, reason: messageOf(error) }, words);
  }
}
