import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { release } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import {
  type EmulatedHost,
  emulatedHosts,
  withoutAppArmor,
  withoutSELinux,
  withoutSystemd,
  withoutUser,
} from './emulated-hosts.js';
import { type HostColumn, hostTable } from './host-table.js';
import { guestPrograms } from './kernel/guest-programs.js';
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
const [begin, end] = ['<!-- table: npm run test:host -- --write-docs -->', '<!-- end of table -->'];
const deadline = Number(values['hours-per-host']) * 3_600_000;
/** Where the command runs: with a daemon of root, and with one of an ordinary user. */
const realHosts = { 'this-machine': {}, 'ordinary-user': { GANTRY_ORDINARY_USER: '1' } };
const known = [...Object.keys(realHosts), ...emulatedHosts.map(({ name }) => name)];
const wanted = values.host ?? known;
const unknown = wanted.find((name) => !known.includes(name));
if (unknown !== undefined) throw new Error(`--host ${unknown}: there are ${known.join(', ')}`);
const hosts = emulatedHosts.filter(({ name }) => wanted.includes(name));

/** The host tests, among them those with clients from outside the project, and the conformance kits. */
const suite = [
  'test/host/dist/**/*.test.js',
  'drivers/{storage,runtime,sandbox,network,volume}-*/dist/**/conformance.test.js',
  'drivers/network-overlay/dist/encryption.test.js',
];
const files = positionals.length > 0 ? positionals : suite;

let failures = 0;
const columns: HostColumn[] = [];

function report(line: string): void {
  console.log(line);
}

async function thisMachine(name: string, environment: NodeJS.ProcessEnv): Promise<HostColumn> {
  report(`== ${name}`);
  const [command = '', ...args] = guestTests(values.group);
  const { stdout, status } = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, ...environment },
  });
  report(stdout);
  if (status !== 0) failures += 1;
  return {
    name,
    kernel: release(),
    outcomes: stdout.split('\n').flatMap((line) => parseOutcome(line) ?? []),
  };
}

const programs = await guestPrograms();
for (const [name, environment] of Object.entries(realHosts)) {
  if (!wanted.includes(name)) continue;
  columns.push(await thisMachine(name, environment));
  await writeTable();
}
for (const host of hosts) {
  report(`== ${host.name}`);
  const { outcomes, kernel, failure } = await runGuestTests(host, {
    deadline,
    onLine: report,
    programs,
    ...(values.group !== undefined && { groups: values.group }),
  });
  columns.push({ name: host.name, kernel, outcomes });
  // After each: the hosts take hours, and what interrupts one must not lose the outcomes of those before it.
  await writeTable();
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

/** An emulated host has what every test needs, but for what its line says. */
function hasFailed(outcome: TestOutcome, { init, security, user, lacks = [] }: EmulatedHost): boolean {
  if (outcome.outcome !== 'skipped') return outcome.outcome === 'failed';
  // Much of what only root may do is not asked of the engine of an ordinary user.
  if (user === 'ordinary') return false;
  const absent = [...lacks, withoutUser, security === 'selinux' ? withoutAppArmor : withoutSELinux];
  if (init === 'script') absent.push(withoutSystemd);
  return !absent.includes(outcome.reason);
}

process.exitCode = failures === 0 ? 0 : 1;

/** Prints the table with all outcomes so far, and writes it into the document where that is wanted. */
async function writeTable(): Promise<void> {
  const [before = '', rest = ''] = (await readFile(document, 'utf8')).split(begin);
  const [earlier = '', after = ''] = rest.split(end);
  const complete = values.group === undefined && columns.length === wanted.length;
  const table = hostTable(columns, { earlier, complete });
  report(`\n${table}`);
  if (values['write-docs'] === true) await writeFile(document, `${before}${begin}\n\n${table}\n\n${end}${after}`);
}
