import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { RuntimeDriver } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import type { Logger } from '@gantry/core/driver';
import { unavailable } from '@gantry/core/errors';
import { cgroupsPathBelow } from '@gantry/lib-oci';
import { activate, PluginClient } from '@gantry/lib-plugin-protocol';
import type { ManagedPluginsConfig } from '../config.js';
import type { PluginFiles } from '../files/plugin-files.js';
import { nameOf, type PluginRecord, settingsOf, taskIdOf } from '../store/plugin-record.js';
import { logOutput } from './log-output.js';
import { pluginSpec } from './plugin-spec.js';

/** The container of one plugin. */
export class PluginTask {
  readonly #id: string;
  readonly #name: string;
  readonly #socketPath: string;
  /** Aborts when the running container exits. */
  #exit = new AbortController();

  constructor(
    private readonly record: PluginRecord,
    private readonly runtime: RuntimeDriver,
    private readonly files: PluginFiles,
    private readonly config: ManagedPluginsConfig,
    private readonly log: Logger,
  ) {
    this.#id = taskIdOf(record);
    this.#name = nameOf(record);
    this.#socketPath = path.join(files.directoriesOf(record).sockets, record.manifest.interface.socket);
  }

  get hasExited(): boolean {
    return this.#exit.signal.aborted;
  }

  /** A client of the plugin's socket. */
  client(): PluginClient {
    const timeout = this.config.callTimeoutSeconds * 1000;
    return new PluginClient(this.#name, { socketPath: this.#socketPath }, { timeout });
  }

  async isRunning(): Promise<boolean> {
    const status = await this.runtime.status(this.#id).catch(() => undefined);
    return status?.status === 'running';
  }

  /** Creates the container anew. Resolves when the plugin has answered the handshake. */
  async run(signal: AbortSignal): Promise<void> {
    await this.runtime.delete(this.#id, { force: true });
    await this.files.open(this.record);
    await rm(this.#socketPath, { force: true });
    const directories = this.files.directoriesOf(this.record);
    const { cgroupParent } = this.config;
    const { cgroupDriver } = this.runtime.capabilities;
    const cgroupsPath = cgroupParent === undefined ? undefined : cgroupsPathBelow(cgroupParent, this.#id, cgroupDriver);
    const spec = await pluginSpec(settingsOf(this.record), directories, cgroupsPath);
    this.#exit = new AbortController();
    await this.runtime.create({ id: this.#id, spec, openStdin: false, stdinOnce: false, spool: undefined });
    crashPoint('plugin.run.created');
    void logOutput(this.runtime, this.#id, this.#name, this.log);
    await this.runtime.startTask(this.#id);
    crashPoint('plugin.run.started');
    await this.#activate(signal);
  }

  /** Takes over the running container of an earlier daemon. Resolves when the plugin has answered the handshake. */
  async adopt(signal: AbortSignal): Promise<void> {
    await this.files.open(this.record);
    this.#exit = new AbortController();
    void logOutput(this.runtime, this.#id, this.#name, this.log);
    await this.#activate(signal);
  }

  /** The runtime reported the exit. */
  onExit(exitCode: number): void {
    this.#exit.abort(unavailable(`plugin "${this.#name}" exited with code ${exitCode}`));
  }

  /** Stops the container and deletes it. Idempotent. */
  async stop(): Promise<void> {
    if (await this.isRunning()) {
      await this.runtime.kill(this.#id, 15).catch(() => undefined);
      const timeout = this.config.stopTimeoutSeconds * 1000;
      await delay(timeout, undefined, { signal: this.#exit.signal }).catch(() => undefined);
    }
    await this.runtime.delete(this.#id, { force: true });
  }

  async #activate(signal: AbortSignal): Promise<void> {
    const timeout = this.config.enableTimeoutSeconds * 1000;
    const address = { socketPath: this.#socketPath };
    const client = new PluginClient(this.#name, address, { timeout, connectTimeout: timeout });
    await activate(client, { signal: AbortSignal.any([this.#exit.signal, signal]) });
  }
}
