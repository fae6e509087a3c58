import { statfs } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { inject, injectable, PackageDirectories } from '@gantry/core/driver';
import { ImportSettings } from '../settings/import-settings.js';

const intervalMs = 2000;

/** Watches the disk that imports are converted on. */
@injectable()
export class FreeSpaceWatch {
  constructor(
    @inject(PackageDirectories) private readonly directories: PackageDirectories,
    @inject(ImportSettings) private readonly settings: ImportSettings,
  ) {}

  /** Checks the free space until the signal aborts. Rejects when less than the configured minimum is free. */
  async watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const { bavail, bsize } = await statfs(this.directories.root);
      const minimum = this.settings.config.minFreeBytes;
      if (bavail * bsize < minimum) throw new Error(`less than ${minimum} bytes are free on the disk`);
      await delay(intervalMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
