import { invalidArgument } from '@gantry/core/errors';
import type { Report } from './finding.js';
import { formatReport } from './format-report.js';

const usage = [
  'usage: gantryd doctor [--json] [--config FILE]',
  '',
  '  Looks at the host, and at the daemon when one runs: the kernel, cgroups, storage, the firewall, the clock, programs.',
  '  Says of each what was found, what it means and what to do. Exits with 1 when something is a problem, else with 0.',
];

/** `gantryd doctor`, in the daemon or without one. @throws EngineError `invalid-argument` naming an argument it lacks. */
export async function* doctorCommand(
  args: readonly string[],
  examine: () => Promise<Report>,
): AsyncGenerator<string, number> {
  const unknown = args.find((argument) => !['--json', '--help', '-h'].includes(argument));
  if (unknown !== undefined) throw invalidArgument(`gantryd doctor: unknown argument "${unknown}"; see --help`);
  if (args.some((argument) => argument !== '--json')) {
    yield* usage;
    return 0;
  }
  const report = await examine();
  if (args.includes('--json')) yield JSON.stringify(report, undefined, 2);
  else yield* formatReport(report);
  return report.level === 'problem' ? 1 : 0;
}
