import { DriverSkipped, messageOf } from '@gantry/core/errors';
import { openDriver } from '../open-driver.js';
import { suites } from '../suites.js';
import { type Command, parseCommand, usage } from './command-line.js';
import { type LoadedDriver, loadDrivers } from './load-drivers.js';
import { type Counts, TestRun } from './test-run.js';

/** Runs the command and prints what came of it. @returns the exit code: 0, 1 for failed checks, 2 for a bad call. */
export async function main(args: readonly string[], print: (line: string) => void): Promise<number> {
  try {
    const command = await parseCommand(args);
    if (command === undefined) {
      print(usage);
      return 0;
    }
    const drivers = await loadDrivers(command.directory);
    const wanted = drivers.filter(({ kind }) => command.kind === undefined || kind === command.kind);
    if (wanted.length === 0) throw new Error(`the package has no ${command.kind} driver`);
    let failed = 0;
    for (const driver of wanted) failed += (await check(driver, command, print)).failed;
    return failed === 0 ? 0 : 1;
  } catch (error) {
    print(`gantry-conformance: ${messageOf(error)}`);
    return 2;
  }
}

async function check(driver: LoadedDriver, command: Command, print: (line: string) => void): Promise<Counts> {
  const { kind, id, definition } = driver;
  const suite = suites.get(kind);
  if (suite === undefined) throw new Error(`there is no suite for ${kind} drivers`);
  print(`\n${kind} driver "${id}"`);
  const open = async () => openDriver(definition, await command.openOptions());
  const skipped = await printCapabilities(open, print);
  if (skipped !== undefined) {
    print(`skipped: ${skipped}`);
    return { passed: 0, failed: 0, notTested: 0 };
  }
  const { only } = command;
  const run = new TestRun(print, (title) => only === undefined || title.includes(only));
  suite(run.test, open, command.suiteOptions);
  const counts = await run.run();
  if (counts.passed + counts.failed + counts.notTested === 0)
    throw new Error(`no check of ${kind} drivers has "${only}" in its title`);
  print(`${counts.passed} passed, ${counts.failed} failed`);
  return counts;
}

/** @returns why the host cannot run the driver. */
async function printCapabilities(
  open: () => ReturnType<typeof openDriver<unknown, never>>,
  print: (line: string) => void,
): Promise<string | undefined> {
  try {
    const opened = await open();
    const { capabilities } = opened.driver as { readonly capabilities?: Readonly<Record<string, unknown>> };
    await opened.release();
    const width = Math.max(0, ...Object.keys(capabilities ?? {}).map((name) => name.length));
    for (const [name, value] of Object.entries(capabilities ?? {})) print(`  ${name.padEnd(width)}  ${String(value)}`);
    return undefined;
  } catch (error) {
    if (DriverSkipped.is(error)) return error.reason;
    throw error;
  }
}
