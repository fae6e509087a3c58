import { rm } from 'node:fs/promises';
import path from 'node:path';
import { type LogDriver, LogDrivers } from '@gantry/core/contracts';
import { type DriverLifecycle, type DriverSet, inject, injectable, PackageDirectories } from '@gantry/core/driver';
import { Files } from '@gantry/lib-linux/files';
import { type FifoPlace, RemoteLogs } from '@gantry/lib-plugin-protocol';
import type { ExternalPlugin } from '../service.js';
import { type DriverAdapter, type KindAdapter, memberOf } from './driver-adapter.js';

/** Makes plugins log drivers, which read from FIFOs. */
@injectable()
export class LogAdapter implements KindAdapter, DriverLifecycle {
  readonly #fifos: string;

  constructor(
    @inject(LogDrivers.token) private readonly logs: DriverSet<LogDriver>,
    @inject(Files.token) private readonly files: Files,
    @inject(PackageDirectories) directories: PackageDirectories,
  ) {
    this.#fifos = path.join(directories.state, 'logs');
  }

  /** Removes the FIFOs of an earlier daemon, which no plugin reads any more. */
  async start(): Promise<void> {
    await rm(this.#fifos, { recursive: true, force: true });
  }

  adapt(plugin: ExternalPlugin): DriverAdapter {
    const { client, fifoPlace = (name) => this.#sharedFifo(name) } = plugin;
    return memberOf(this.logs, plugin, new RemoteLogs(client, fifoPlace, this.files));
  }

  addFinder(find: (name: string) => Promise<void>): () => void {
    return this.logs.addFinder(find);
  }

  #sharedFifo(name: string): FifoPlace {
    const hostPath = path.join(this.#fifos, name);
    return { hostPath, pluginPath: hostPath };
  }
}
