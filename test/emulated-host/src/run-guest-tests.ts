import { fileURLToPath } from 'node:url';
import type { EmulatedHost } from './emulated-hosts.js';
import { runGuest } from './machine/run-guest.js';
import { parseOutcome, type TestOutcome } from './test-outcome.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const program = 'test/emulated-host/dist/guest/main.js';

interface GuestTestRun {
  readonly outcomes: readonly TestOutcome[];
  /** Release of the kernel that ran. */
  readonly kernel: string;
  /** Why not every test has an outcome. */
  readonly failure: string | undefined;
  /** What the guest wrote, for a human reader. */
  readonly output: readonly string[];
}

interface GuestTestOptions {
  /** Groups of tests; all by default. */
  readonly groups?: readonly string[];
  readonly deadline: number;
  /** A tree of programs that the guest has beyond those of this machine. */
  readonly programs?: string;
  onLine?(line: string): void;
}

/** The command line of the tests that every host runs. */
export const guestTests = (groups: readonly string[] = []): readonly string[] => [
  process.execPath,
  '--test-reporter=tap',
  program,
  ...groups,
];

/** Boots a machine and runs the tests in it. */
export async function runGuestTests(host: EmulatedHost, options: GuestTestOptions): Promise<GuestTestRun> {
  const output: string[] = [];
  const { status, kernel, console } = await runGuest(host, {
    command: guestTests(options.groups),
    cwd: root,
    deadline: options.deadline,
    ...(host.user === 'ordinary' && { environment: { GANTRY_ORDINARY_USER: '1' } }),
    ...(options.programs !== undefined && { programs: options.programs }),
    onLine: (line) => {
      output.push(line);
      options.onLine?.(line);
    },
  });
  const outcomes = output.flatMap((line) => parseOutcome(line) ?? []);
  const failure =
    status === undefined
      ? `the machine was off before its tests ended; its console: ${console.slice(-2000)}`
      : status !== 0 && outcomes.every(({ outcome }) => outcome !== 'failed')
        ? `the tests ended with exit status ${status}`
        : undefined;
  return { outcomes, kernel, failure, output };
}
