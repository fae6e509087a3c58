import { execFile } from 'node:child_process';
import { mkdtemp, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { join, timed, type Values } from '../measurements.js';
import type { Scenario, Subject } from '../scenario.js';
import { life } from './lifecycle.js';

const run = promisify(execFile);

/** Of both, one after the other, beside one running container. */
const turns = 6;

/** Of a runtime's configuration, as far as it is changed here. */
interface Bundle {
  readonly process: object;
  readonly root: { readonly path: string };
  readonly linux: object;
}

/** What a life takes beside what the OCI runtimes take for the same bundle, without an engine. */
export const bare: Scenario = {
  name: 'bare',
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
        join(values, await lifeBeside(subject));
        join(values, await bareRuns(directory));
      }
      return Object.fromEntries(values);
    } finally {
      await containers.remove(id);
      await rm(directory, { recursive: true });
    }
  },
};

async function lifeBeside(subject: Subject): Promise<Values> {
  const [, , , , all = []] = await life(subject, 'default');
  return { 'a life beside bare ones ms': all };
}

/** Of those that are there and work here, on the file system of the engine and with the host's cgroups as they are. */
async function bareRuns(directory: string): Promise<Values> {
  const values: Record<string, readonly number[]> = {};
  for (const program of ['runc', 'crun']) {
    const taken: number[] = [];
    try {
      await timed(taken, () => run(program, ['run', '--bundle', directory, `${path.basename(directory)}-${program}`]));
    } catch {
      continue;
    }
    values[`${program} run of the same bundle ms`] = taken;
  }
  return values;
}

/** The bundle of a running container, for another one beside it in the same file system and network. */
async function copyBundle(pid: number, directory: string): Promise<void> {
  const source = await bundleOf(pid);
  const bundle = JSON.parse(await readFile(path.join(source, 'config.json'), 'utf8')) as Bundle;
  const copy = {
    ...bundle,
    process: { ...bundle.process, args: ['true'], terminal: false },
    root: { ...bundle.root, path: path.resolve(source, bundle.root.path) },
    // What the engine watches over is not to be told of this one.
    hooks: undefined,
    linux: { ...bundle.linux, cgroupsPath: `/${path.basename(directory)}` },
  };
  await writeFile(path.join(directory, 'config.json'), JSON.stringify(copy));
}

/** A monitor is given the bundle, or works in it. */
async function bundleOf(pid: number): Promise<string> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const monitor = /^PPid:\s*(\d+)/m.exec(status)?.[1];
  const words = (await readFile(`/proc/${monitor}/cmdline`, 'utf8')).split('\0');
  const option = words.findIndex((word) => word === '-b' || word === '--bundle');
  return words[option + 1] && option >= 0 ? (words[option + 1] ?? '') : readlink(`/proc/${monitor}/cwd`);
}
