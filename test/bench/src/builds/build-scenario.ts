import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { timed, type Values } from '../measurements.js';
import type { Scenario, Subject } from '../scenario.js';
import { Application } from './application.js';

const run = promisify(execFile);

/** The values of `DOCKER_BUILDKIT`, by the way that the docker CLI builds with it. */
const fronts = { buildx: '1', classic: '0' } as const;

const tag = 'gantry-bench-application';

/**
 * Builds an application of three stages with the docker CLI, through buildx and through the classic builder. `nothing`
 * is a build without steps: what the client itself needs.
 */
export const buildScenario = (docker: string): Scenario => ({
  name: 'builds',
  rounds: 5,
  run: async (subject) => {
    const values: Values = {};
    for (const [front, value] of Object.entries(fronts)) {
      Object.assign(values, await measureFront(docker, subject, { name: front, value }));
    }
    return values;
  },
});

interface Front {
  readonly name: string;
  readonly value: string;
}

async function measureFront(docker: string, { engine, image }: Subject, { name, value }: Front): Promise<Values> {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-bench-'));
  try {
    const application = new Application(path.join(directory, 'application'), image);
    await application.write();
    const empty = path.join(directory, 'nothing');
    await mkdir(empty);
    await writeFile(path.join(empty, 'Dockerfile'), `FROM ${image}\n`);
    const env = { ...process.env, DOCKER_HOST: `unix://${engine.socket}`, DOCKER_BUILDKIT: value };
    const build = (context: string): Promise<unknown> => run(docker, ['build', '--tag', tag, context], { env });
    const [nothing, first, cached, changed]: [number[], number[], number[], number[]] = [[], [], [], []];
    await timed(nothing, () => build(empty));
    await timed(first, () => build(application.directory));
    await timed(cached, () => build(application.directory));
    await application.change();
    await timed(changed, () => build(application.directory));
    return {
      [`${name}, nothing ms`]: nothing,
      [`${name}, first ms`]: first,
      [`${name}, cached ms`]: cached,
      [`${name}, one line changed ms`]: changed,
    };
  } finally {
    await engine.bytes('DELETE', `/images/${tag}?force=1`).catch(() => undefined);
    await rm(directory, { recursive: true });
  }
}
