import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { replaceFile } from '../files/replace-file.js';
import type { UnitStatus } from '../kernel/units/unit-statuses.js';

/** The state of a running daemon's packages, in a file of its `execRoot`. */
interface EngineReport {
  readonly pid: number;
  readonly units: readonly UnitStatus[];
}

const fileIn = (execRoot: string): string => path.join(execRoot, 'packages.json');

let last: Promise<unknown> = Promise.resolve();
let latest: readonly UnitStatus[] = [];

/** Replaces the report at once: a reader finds the old one or the new one. Of several at a time the last is written. */
export function writeReport(execRoot: string, units: readonly UnitStatus[]): Promise<void> {
  latest = units;
  const written = last.then(() => (units === latest ? replace(execRoot, units) : undefined));
  last = written.catch(() => undefined);
  return written;
}

async function replace(execRoot: string, units: readonly UnitStatus[]): Promise<void> {
  const report: EngineReport = { pid: process.pid, units };
  await replaceFile(fileIn(execRoot), `${JSON.stringify(report)}\n`);
}

/** After the last report. */
export async function removeReport(execRoot: string): Promise<void> {
  await last;
  await rm(fileIn(execRoot), { force: true });
}

/** The report of the daemon that uses this `execRoot`; undefined when none runs or the report cannot be read. */
export async function readReport(execRoot: string): Promise<EngineReport | undefined> {
  try {
    const report = JSON.parse(await readFile(fileIn(execRoot), 'utf8')) as EngineReport;
    // Throws for the stale report of a daemon that was killed.
    process.kill(report.pid, 0);
    return report;
  } catch {
    return undefined;
  }
}
