import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { programs } from '../testing/client-host.js';

/** What a command line of the docker CLI came to. */
export interface CommandOutcome {
  /** Null when it did not end in time. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface CommandLine {
  readonly name: string;
  /** For bash: `$D` is the docker CLI, `$ADDRESS` one of the host, and `$W` a directory that exists. */
  readonly line: string;
}

/** One after the other: later lines use what earlier ones made. */
export async function readCommands(): Promise<readonly CommandLine[]> {
  const text = await readFile(path.join(programs, 'commands/commands.txt'), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((row) => {
      const colon = row.indexOf(': ');
      return { name: row.slice(0, colon), line: row.slice(colon + 2) };
    });
}

/** Outcomes by the names of the lines. */
export async function runCommands(
  run: (line: string) => Promise<CommandOutcome>,
): Promise<Readonly<Record<string, CommandOutcome>>> {
  const outcomes: Record<string, CommandOutcome> = {};
  for (const { line, name } of await readCommands()) {
    const { code, stderr, stdout } = await run(`set -o pipefail; ${line}`);
    outcomes[name] = { code, stdout: comparable(stdout), stderr: comparable(stderr) };
  }
  return outcomes;
}

/** Without what an engine makes up, and without times. */
const comparable = (text: string): string =>
  text
    .replace(/\b[0-9a-f]{64}\b/g, 'ID')
    .replace(/\b[0-9a-f]{12}\b/g, 'SHORT-ID')
    .replace(/\b[0-9a-z]{25}\b/g, 'SWARM-ID')
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z| \+0000 UTC)?/g, 'TIME')
    .replace(/(?:About an?|Less than a|\d+) (?:second|minute)s?(?: ago)?/g, 'AGE')
    .replace(/#(\d+) DONE [\d.]+s/g, '#$1 DONE')
    .replace(/[\d.]+s\b/g, 'DURATION')
    .replace(/ +/g, ' ')
    .replace(/\r/g, '')
    .trim();
