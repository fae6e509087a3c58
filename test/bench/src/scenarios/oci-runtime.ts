import { execFile } from 'node:child_process';
import { mkdtemp, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { addValues, timed, type Values } from '../measurements.js';
import type { Scenario, Subject } from '../scenario.js';
import { runLifecycle } from './lifecycle.js';

const run = promisify(execFile);

/** Lifecycles and runtime runs in turn, beside one running container. */
const turns = 6;

/** The fields of a bundle's config.json that are changed here. */
interface Bundle {
  readonly process: object;
  readonly root: { readonly path: string };
  readonly linux: object;
}

/** The container lifecycle compared with a bare OCI runtime running the same bundle. */
export const ociRuntime: Scenario = {
  name: 'oci-runtime',
  rounds: 5,
  async run(subject) {
    const { containers, engine } = subject;
    const id = await containers.create({ Cmd: ['sleep', '600'] });
    const directory = await mkdtemp(path.join(tmpdir(), 'gantry-bench-'));
    try {
      await containers.start(id);
      const { State } = await engine.ask<{ State: { Pid: number } }>('GET', `/containers/${id}/json`);
      await copyBundle(State.Pid, directory);
      const values = new Map<string, number[]>();
      for (let turn = 0; turn < turns; turn += 1) {
        addValues(values, await lifecycle(subject));
        addValues(values, await runtimeRuns(directory));
      }
      return Object.fromEntries(values);
    } finally {
      await containers.remove(id);
      await rm(directory, { recursive: true });
    }
  },
};

async function lifecycle(subject: Subject): Promise<Values> {
  const [, , , , all = []] = await runLifecycle(subject, 'default');
  return { 'container lifecycle beside runtime runs ms': all };
}

/** Runs the installed runtimes on the engine's file system, with the host's cgroups. Those that fail are skipped. */
async function runtimeRuns(directory: string): Promise<Values> {
  const values: Record<string, readonly number[]> = {};
  for (const program of ['runc', 'crun']) {
    const durations: number[] = [];
    try {
      await timed(durations, () =>
        run(program, ['run', '--bundle', directory, `${path.basename(directory)}-${program}`]),
      );
    } catch {
      continue;
    }
    values[`${program} run of the same bundle ms`] = durations;
  }
  return values;
}

/** Copies the bundle of a running container, for another one in the same root file system and network. */
async function copyBundle(pid: number, directory: string): Promise<void> {
  const source = await bundleOf(pid);
  const bundle = JSON.parse(await readFile(path.join(source, 'config.json'), 'utf8')) as Bundle;
  const copy = {
    ...bundle,
    process: { ...bundle.process, args: ['true'], terminal: false },
    root: { ...bundle.root, path: path.resolve(source, bundle.root.path) },
    // Hooks would report this container to the engine.
    hooks: undefined,
    linux: { ...bundle.linux, cgroupsPath: `/${path.basename(directory)}` },
  };
  await writeFile(path.join(directory, 'config.json'), JSON.stringify(copy));
}

/** The bundle is an argument of the container's monitor, or its working directory. */
async function bundleOf(pid: number): Promise<string> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const monitor = /^PPid:\s*(\d+)/m.exec(status)?.[1];
  const words = (await readFile(`/proc/${monitor}/cmdline`, 'utf8')).split('\0');
  const option = words.findIndex((word) => word === '-b' || word === '--bundle');
  return words[option + 1] && option >= 0 ? (words[option + 1] ?? '') : readlink(`/proc/${monitor}/cwd`);
}
