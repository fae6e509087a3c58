import { readdir, readFile } from 'node:fs/promises';
import { inject, injectable, PackageOrphans, PackageStatuses } from '@gantry/core/driver';
import type { EngineFacts } from './engine-facts.js';
import type { Report } from './finding.js';
import { HostReader } from './host/host-reader.js';
import { LeakRecord } from './leak-record.js';

/** Examines the host and the daemon that it is a part of. */
@injectable()
export class Doctor {
  #running: Promise<Report> | undefined;

  constructor(
    @inject(HostReader) private readonly host: HostReader,
    @inject(PackageStatuses) private readonly packages: PackageStatuses,
    @inject(PackageOrphans) private readonly orphans: PackageOrphans,
    @inject(LeakRecord) private readonly leaks: LeakRecord,
  ) {}

  /** Looks once for all that ask meanwhile. */
  examine(): Promise<Report> {
    this.#running ??= this.#examine().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #examine(): Promise<Report> {
    const [host, engine, { examine }] = await Promise.all([
      this.host.read(),
      this.#readEngine(),
      import('./examine.js'),
    ]);
    return examine(host, engine);
  }

  async #readEngine(): Promise<EngineFacts> {
    const [found, descriptors] = await Promise.all([this.orphans.find(), readDescriptors()]);
    const orphans = found.map(({ orphan: { name, what }, owner }) => ({ name, owner, what }));
    const leaks = await this.leaks.update(orphans.length > 0);
    return { descriptors, leaks, orphans, packages: this.packages.list() };
  }
}

async function readDescriptors(): Promise<EngineFacts['descriptors']> {
  const [open, limits] = await Promise.all([readdir('/proc/self/fd'), readFile('/proc/self/limits', 'utf8')]);
  const soft = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
  return { open: open.length, limit: soft };
}
