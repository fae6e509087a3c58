import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Processes } from '@gantry/lib-linux/processes';

const SIGKILL = 9;

/** The running programs of one source, by pid and start time in files, so that a restarted daemon finds its orphans. */
export class ProgramRecords {
  /** Pids of this daemon's programs, of all sources. */
  static readonly #running = new Set<number>();

  constructor(
    private readonly directory: string,
    private readonly processes: Processes,
  ) {}

  /** Kills the programs that a killed daemon left running for this source. */
  async killOrphans(): Promise<void> {
    const running = new Set(ProgramRecords.#running);
    await mkdir(this.directory, { recursive: true });
    for (const name of await readdir(this.directory)) {
      const pid = Number(name);
      if (running.has(pid)) continue;
      const startTime = Number(await readFile(join(this.directory, name), 'utf8').catch(() => ''));
      if (startTime > 0 && this.processes.isAlive(pid, startTime)) this.processes.kill(-pid, SIGKILL);
      await this.delete(pid);
    }
  }

  async add(pid: number): Promise<void> {
    ProgramRecords.#running.add(pid);
    const startTime = this.processes.status(pid)?.startTime;
    if (startTime !== undefined) await writeFile(join(this.directory, String(pid)), String(startTime));
  }

  async delete(pid: number): Promise<void> {
    ProgramRecords.#running.delete(pid);
    await rm(join(this.directory, String(pid)), { force: true });
  }
}
