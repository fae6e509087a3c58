import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import archive from '@gantry/archive-worker-threads';
import containerLogs from '@gantry/container-logs';
import containers from '@gantry/containers';
import engineApi from '@gantry/engine-api';
import events from '@gantry/events';
import images from '@gantry/images';
import { ipam, log, network, runtime, sandbox, state, storage, volume } from '@gantry/memory-drivers';
import host from '@gantry/network-host';
import none from '@gantry/network-none';
import networks from '@gantry/networks';
import { startEngine, type TestEngine, type TestOwner } from '@gantry/test-engine';
import volumes from '@gantry/volumes';
import { pack } from 'tar-stream';
import build from '../index.js';

type Files = Readonly<Record<string, string>>;

export async function tarOf(files: Files): Promise<Readable> {
  const tar = pack();
  for (const [name, text] of Object.entries(files))
    tar.entry({ name, mtime: new Date(1000 * Object.keys(files).length) }, text);
  tar.finalize();
  return Readable.from([await buffer(tar)], { objectMode: false });
}

const drivers = [archive, state, storage, runtime, sandbox, ipam, network, host, none, volume, log];
const areas = [engineApi, events, images, volumes, networks, containerLogs, containers, build];

type Packages = Parameters<typeof startEngine>[1];

export async function startBuilds(t: TestOwner, more: Packages = []): Promise<TestEngine> {
  const engine = await startEngine(t, [...drivers, ...areas, ...more], { config: { defaults: { network: 'memory' } } });
  const headers = { 'Content-Type': 'application/x-tar' };
  const body = await tarOf({ 'etc/passwd': 'root:x:0:0::/:/bin/sh\n' });
  await engine.ask('POST', '/images/create?fromSrc=-&repo=base', { headers, body });
  t.teardown(async () => {
    const all = (await engine.ask('GET', '/containers/json?all=1')).json<{ Id: string }[]>();
    await Promise.all(all.map(({ Id }) => engine.ask('DELETE', `/containers/${Id}?force=1&v=1`)));
  });
  return engine;
}

export interface Built {
  readonly status: number;
  /** What it said, joined. */
  readonly text: string;
  readonly error: { readonly error: string; readonly errorDetail: object } | undefined;
}

export async function buildImage(engine: TestEngine, files: Files, query = ''): Promise<Built> {
  const headers = { 'Content-Type': 'application/x-tar' };
  const answer = await engine.ask('POST', `/build?t=made${query}`, { headers, body: await tarOf(files) });
  const items = answer.lines<{ stream?: string; error?: string; errorDetail?: object }>();
  const text = items.map((item) => item.stream ?? '').join('');
  return { status: answer.status, text, error: items.find((item) => item.error !== undefined) as Built['error'] };
}
