import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { kernelProcesses } from '@gantry/lib-linux/processes';

const SIGKILL = 9;

/** Programs of one source by their pids, so that those of a daemon that was killed do not go on beside the next one's. */
export class Orphans {
  constructor(private readonly directory: string) {}

  /** Kills whatever an earlier daemon left running for this source. */
  async end(): Promise<void> {
    const ours = new Set(Orphans.#running);
    await mkdir(this.directory, { recursive: true });
    for (const name of await readdir(this.directory)) {
      const pid = Number(name);
      if (ours.has(pid)) continue;
      const startTime = Number(await readFile(join(this.directory, name), 'utf8').catch(() => ''));
      if (startTime > 0 && kernelProcesses.isAlive(pid, startTime)) kernelProcesses.kill(-pid, SIGKILL);
      await this.forget(pid);
    }
  }

  async remember(pid: number): Promise<void> {
    Orphans.#running.add(pid);
    const startTime = kernelProcesses.status(pid)?.startTime;
    if (startTime !== undefined) await writeFile(join(this.directory, String(pid)), String(startTime));
  }

  async forget(pid: number): Promise<void> {
    Orphans.#running.delete(pid);
    await rm(join(this.directory, String(pid)), { force: true });
  }

  /** Of this daemon, whatever source they are for. */
  static readonly #running = new Set<number>();
}
