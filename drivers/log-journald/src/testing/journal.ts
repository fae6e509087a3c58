import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '@gantry/conformance';

const program = '/lib/systemd/systemd-journald';

/** A journal of systemd's own, in a namespace of its own, beside the host's. */
export interface TestJournal {
  readonly namespace: string;
  journalctl(...args: readonly string[]): string;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Stops it and deletes all it wrote. */
  remove(): Promise<void>;
}

/** Undefined where systemd-journald is not installed. */
export async function testJournal(name: string): Promise<TestJournal | undefined> {
  if (!existsSync(program)) return undefined;
  const namespace = `gantry-${name}-${process.pid}`;
  const runtime = `/run/systemd/journal.${namespace}`;
  let child: ChildProcess | undefined;
  // One of a namespace ends when nothing has come for half a minute, and is started again as systemd would do.
  const run = () => {
    rmSync(runtime, { recursive: true, force: true });
    const started = spawn(program, [namespace], { stdio: 'ignore' });
    child = started;
    started.once('exit', () => {
      if (child === started) run();
    });
  };
  const start = async () => {
    run();
    await until('the journal listens', () => existsSync(`${runtime}/socket`));
  };
  const stop = async () => {
    const stopped = child;
    child = undefined;
    if (stopped === undefined || stopped.exitCode !== null || stopped.signalCode !== null) return;
    const exit = once(stopped, 'exit');
    stopped.kill('SIGTERM');
    await exit;
  };
  await start();
  return {
    namespace,
    journalctl: (...args) => execFileSync('journalctl', [`--namespace=${namespace}`, '-q', ...args]).toString(),
    start,
    stop,
    async remove() {
      await stop();
      for (const path of [runtime, ...logsOf(namespace)]) rmSync(path, { recursive: true, force: true });
    },
  };
}

function logsOf(namespace: string): string[] {
  const roots = ['/run/log/journal', '/var/log/journal'].filter((root) => existsSync(root));
  return roots.flatMap((root) =>
    readdirSync(root)
      .filter((name) => name.endsWith(`.${namespace}`))
      .map((name) => join(root, name)),
  );
}
