import { type Launcher, programPath } from '@gantry/lib-linux/launcher';
import type { ProgramFacts } from './host-facts.js';
import type { HostSettings } from './host-settings.js';

/** Beside the monitor and the runtimes. Those of the second list are asked for their version. */
const silent = ['ps', 'xz', 'bzip2', 'zstd', 'tini-static', 'etcdctl'];
const speaking = ['etcd'];

const timeout = 5_000;

export async function readPrograms(launcher: Launcher, settings: HostSettings): Promise<readonly ProgramFacts[]> {
  const versioned = { ...settings.programs, ...Object.fromEntries(speaking.map((name) => [name, name])) };
  const find = async (name: string, file: string, asks: boolean): Promise<ProgramFacts> => {
    const path = await programPath(file).catch(() => undefined);
    const version = path === undefined || !asks ? undefined : await versionOf(launcher, path);
    return { name, path, version };
  };
  return Promise.all([
    ...Object.entries(versioned).map(([name, file]) => find(name, file, true)),
    ...silent.map((name) => find(name, name, false)),
  ]);
}

/** The first number with a dot in what the program says of its version. */
async function versionOf(launcher: Launcher, path: string): Promise<string | undefined> {
  try {
    const options = { signal: AbortSignal.timeout(timeout), maxOutputBytes: 4096 };
    const { stdout } = await launcher.run(path, ['--version'], options);
    return /\d+\.\d[\w.+~-]*/.exec(stdout.toString())?.[0];
  } catch {
    return undefined;
  }
}
