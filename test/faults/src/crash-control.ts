import { readFile, rm, writeFile } from 'node:fs/promises';

/** A point of the sources, and how many times it is passed before the daemon dies there. */
export interface Place {
  readonly point: string;
  readonly nth: number;
}

/** The file that selects the crash point of a running daemon, and records the points it reaches. */
export class CrashControl {
  constructor(private readonly file: string) {}

  /** Environment variables of the daemon. */
  get environment(): Readonly<Record<string, string>> {
    return { GANTRY_CRASH_AT: `@${this.file}` };
  }

  /** @param pid who dies there; the daemon by default. */
  async arm({ point, nth }: Place, pid?: number): Promise<void> {
    await writeFile(this.file, pid === undefined ? `${point}:${nth}` : `${point}:${nth}:${pid}`);
  }

  /** From now on it lives, and what it reaches is counted anew. */
  async disarm(): Promise<void> {
    await writeFile(this.file, '');
    await rm(`${this.file}.reached`, { force: true });
  }

  /** Whether the armed place was reached. */
  async wasReached(): Promise<boolean> {
    return (await readFile(this.file, 'utf8')) === '';
  }

  /** When no daemon listens any more. */
  async remove(): Promise<void> {
    await rm(this.file, { force: true });
    await rm(`${this.file}.reached`, { force: true });
  }

  /** Each place that was reached since it was disarmed, once. */
  async reached(): Promise<readonly Place[]> {
    const text = await readFile(`${this.file}.reached`, 'utf8').catch(() => '');
    const times = new Map<string, number>();
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((point) => {
        const nth = (times.get(point) ?? 0) + 1;
        times.set(point, nth);
        return { point, nth };
      });
  }
}
