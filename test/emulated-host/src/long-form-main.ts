import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { release } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type EmulatedHost, emulatedHosts, withoutSystemd } from './emulated-hosts.js';
import { type HostColumn, hostTable } from './host-table.js';
import { runGuest } from './machine/run-guest.js';
import { guestTests, runGuestTests } from './run-guest-tests.js';
import { parseOutcome, type TestOutcome } from './test-outcome.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const document = fileURLToPath(new URL('../../../docs/hosts.md', import.meta.url));

// `npm run test:host`: every emulated host runs the tests of hosts, and then files of the suite.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    host: { type: 'string', multiple: true },
    group: { type: 'string', multiple: true },
    'write-docs': { type: 'boolean' },
    'hours-per-host': { type: 'string', default: '6' },
  },
});
const deadline = Number(values['hours-per-host']) * 3_600_000;
const hosts = emulatedHosts.filter(({ name }) => values.host === undefined || values.host.includes(name));
if (hosts.length === 0) throw new Error(`no such host: there are ${emulatedHosts.map(({ name }) => name).join(', ')}`);

/** The host tests, among them those with clients from outside the project, and the conformance kits. */
const suite = [
  'test/host/dist/**/*.test.js',
  'drivers/{storage,runtime,sandbox,network,volume}-*/dist/**/conformance.test.js',
];
const files = positionals.length > 0 ? positionals : suite;

let failures = 0;
const columns: HostColumn[] = [];

function report(line: string): void {
  console.log(line);
}

async function thisMachine(): Promise<HostColumn> {
  report('== this machine');
  const [command = '', ...args] = guestTests(values.group);
  const { stdout, status } = spawnSync(command, args, { cwd: root, encoding: 'utf8' });
  report(stdout);
  if (status !== 0) failures += 1;
  return {
    name: 'this machine',
    kernel: release(),
    outcomes: stdout.split('\n').flatMap((line) => parseOutcome(line) ?? []),
  };
}

columns.push(await thisMachine());
for (const host of hosts) {
  report(`== ${host.name}`);
  const { outcomes, kernel, failure } = await runGuestTests(host, {
    deadline,
    onLine: report,
    ...(values.group !== undefined && { groups: values.group }),
  });
  columns.push({ name: host.name, kernel, outcomes });
  failures += outcomes.filter((outcome) => hasFailed(outcome, host)).length;
  if (failure !== undefined) {
    failures += 1;
    report(`✘ ${host.name}: ${failure}`);
  }
  if (values.group !== undefined) continue;
  const ava = ['node_modules/ava/entrypoints/cli.mjs', '--serial', '--concurrency=1', '--timeout=60m', ...files];
  const { status } = await runGuest(host, { command: [process.execPath, ...ava], cwd: root, deadline, onLine: report });
  if (status !== 0) {
    failures += 1;
    report(`✘ ${host.name}: the suite ended with ${status ?? 'the deadline'}`);
  }
}

/** An emulated host has what every test needs, but for systemd where a script is its first process. */
function hasFailed(outcome: TestOutcome, { init }: EmulatedHost): boolean {
  if (outcome.outcome !== 'skipped') return outcome.outcome === 'failed';
  return !(init === 'script' && outcome.reason === withoutSystemd);
}

const table = hostTable(columns);
report(`\n${table}`);
if (values['write-docs'] === true) {
  const text = await readFile(document, 'utf8');
  const [begin, end] = ['<!-- table: npm run test:host -- --write-docs -->', '<!-- end of table -->'];
  const [before = '', rest = ''] = text.split(begin);
  const after = rest.split(end)[1] ?? '';
  await writeFile(document, `${before}${begin}\n\n${table}\n\n${end}${after}`);
}
process.exitCode = failures === 0 ? 0 : 1;
