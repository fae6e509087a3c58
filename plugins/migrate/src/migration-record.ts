import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { replaceFile } from '@gantry/core/driver';
import { readJsonIfThere, recordOf } from './docker-root/read-json.js';

type Progress = 'begun' | 'done';

/** What has been moved from one data root, so that a migration that is repeated finishes what was begun. */
export class MigrationRecord {
  private constructor(
    private readonly file: string,
    private readonly objects: Map<string, Progress>,
  ) {}

  static async open(dataRoot: string, dockerRoot: string): Promise<MigrationRecord> {
    const name = createHash('sha256').update(dockerRoot).digest('hex').slice(0, 16);
    const file = join(dataRoot, 'plugins', 'migrate', `${name}.json`);
    await mkdir(dirname(file), { recursive: true, mode: 0o711 });
    const { objects } = recordOf(await readJsonIfThere(file));
    return new MigrationRecord(file, new Map(Object.entries(recordOf(objects)) as [string, Progress][]));
  }

  /** @param object such as `volume data`. */
  of(object: string): Progress | undefined {
    return this.objects.get(object);
  }

  /** Survives a crash when it resolves. */
  async set(object: string, progress: Progress): Promise<void> {
    this.objects.set(object, progress);
    const text = JSON.stringify({ objects: Object.fromEntries(this.objects) }, undefined, 2);
    await replaceFile(this.file, `${text}\n`, { mode: 0o600, flush: true });
  }
}
