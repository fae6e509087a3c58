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
  const start = async () => {
    rmSync(runtime, { recursive: true, force: true });
    child = spawn(program, [namespace], { stdio: 'ignore' });
    await until('the journal listens', () => existsSync(`${runtime}/socket`));
  };
  const stop = async () => {
    if (child === undefined || child.exitCode !== null) return;
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
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
