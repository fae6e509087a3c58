import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import apiHistory from '@gantry/api-history';
import archive from '@gantry/archive-worker-threads';
import containerFiles from '@gantry/container-files';
import containerHealth from '@gantry/container-health';
import containerLogs from '@gantry/container-logs';
import containerStats from '@gantry/container-stats';
import containers from '@gantry/containers';
import dialect from '@gantry/docker-dialect';
import engineApi from '@gantry/engine-api';
import events from '@gantry/events';
import exec from '@gantry/exec';
import images from '@gantry/images';
import { ipam, log, network, runtime, sandbox, state, storage, volume } from '@gantry/memory-drivers';
import host from '@gantry/network-host';
import none from '@gantry/network-none';
import networks from '@gantry/networks';
import system from '@gantry/system';
import { type Answer, startEngine, type TestEngine, type TestOwner } from '@gantry/test-engine';
import volumes from '@gantry/volumes';
import { pack } from 'tar-stream';

/** An engine of a test's own, with the requests most tests make. */
export interface ApiEngine extends TestEngine {
  /** POST with an optional JSON body. */
  post(path: string, body?: object): Promise<Answer>;
  get(path: string): Promise<Answer>;
  delete(path: string): Promise<Answer>;
  /** Creates a container of the image `busybox` and returns its id. @throws Error with the answer. */
  create(body?: object, name?: string): Promise<string>;
  /** The same, started. */
  run(body?: object, name?: string): Promise<string>;
  /** Creates, starts and waits; returns id and exit code. */
  runToEnd(body?: object, name?: string): Promise<{ readonly id: string; readonly exitCode: number }>;
  inspect(id: string): Promise<Inspected>;
  /** Status and message of an answer. */
  refusal(answer: Promise<Answer>): Promise<readonly [status: number, message: string]>;
}

interface Inspected {
  readonly Id: string;
  readonly Name: string;
  readonly Path: string;
  readonly Args: readonly string[];
  readonly Image: string;
  readonly RestartCount: number;
  readonly ExecIDs: readonly string[] | null;
  readonly State: {
    readonly Status: string;
    readonly Running: boolean;
    readonly Paused: boolean;
    readonly Restarting: boolean;
    readonly Pid: number;
    readonly ExitCode: number;
    readonly Error: string;
    readonly StartedAt: string;
    readonly FinishedAt: string;
  };
  readonly Config: Readonly<Record<string, unknown>>;
  readonly HostConfig: Readonly<Record<string, unknown>>;
  readonly Mounts: readonly Readonly<Record<string, unknown>>[];
  readonly NetworkSettings: {
    readonly IPAddress: string;
    readonly Ports: Readonly<Record<string, readonly { HostIp: string; HostPort: string }[] | null>>;
    readonly Networks: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };
}

interface ApiOptions {
  /** Packages besides. */
  readonly use?: Parameters<typeof startEngine>[1];
  /** Sections of plugins. */
  readonly plugins?: Readonly<Record<string, unknown>>;
}

/** Starts every area on memory drivers, and brings in an image called busybox. */
export async function startApi(t: TestOwner, { use = [], plugins = {} }: ApiOptions = {}): Promise<ApiEngine> {
  const drivers = [archive, state, storage, runtime, sandbox, ipam, network, host, none, volume, log];
  const ofContainers = [containerLogs, containers, containerStats, containerHealth, containerFiles, exec];
  const areas = [engineApi, dialect, apiHistory, events, images, volumes, networks, ...ofContainers, system];
  const engine = await startEngine(t, [...drivers, ...areas, ...use], {
    config: { defaults: { network: 'memory' } },
    plugins,
  });
  const answer = await engine.ask(
    'POST',
    `/images/create?fromSrc=-&repo=busybox&changes=${encodeURIComponent('CMD ["sh"]')}`,
    {
      headers: { 'Content-Type': 'application/x-tar' },
      body: await rootTar(),
    },
  );
  if (answer.status !== 200) throw new Error(`no image: ${answer.text}`);
  const post = (path: string, body?: object): Promise<Answer> => engine.ask('POST', path, { body });
  const expect = async (status: number, answer: Promise<Answer>): Promise<Answer> => {
    const got = await answer;
    if (got.status !== status) throw new Error(`${got.status} instead of ${status}: ${got.text}`);
    return got;
  };
  const create = async (body: object = {}, name?: string): Promise<string> => {
    const query = name === undefined ? '' : `?name=${name}`;
    const made = await expect(201, post(`/containers/create${query}`, { Image: 'busybox', ...body }));
    return made.json<{ Id: string }>().Id;
  };
  const run = async (body?: object, name?: string): Promise<string> => {
    const id = await create(body, name);
    await expect(204, post(`/containers/${id}/start`));
    return id;
  };
  // Containers outlive their engine, here in this very process.
  t.teardown(async () => {
    const all = (await engine.ask('GET', '/containers/json?all=1')).json<{ Id: string }[]>();
    await Promise.all(all.map(({ Id }) => engine.ask('DELETE', `/containers/${Id}?force=1&v=1`)));
  });
  // A spread would freeze what changes with a restart.
  return Object.assign(Object.create(engine) as TestEngine, {
    post,
    get: (path: string) => engine.ask('GET', path),
    delete: (path: string) => engine.ask('DELETE', path),
    create,
    run,
    async runToEnd(body?: object, name?: string) {
      const id = await run(body, name);
      const waited = await expect(200, post(`/containers/${id}/wait`));
      return { id, exitCode: waited.json<{ StatusCode: number }>().StatusCode };
    },
    inspect: async (id: string) => (await expect(200, engine.ask('GET', `/containers/${id}/json`))).json<Inspected>(),
    async refusal(asked: Promise<Answer>) {
      const { status, json } = await asked;
      return [status, json<{ message: string }>().message] as const;
    },
  });
}

/** As much of a root file system as names of users need. */
function rootTar(): Promise<Buffer> {
  const tar = pack();
  for (const name of ['bin', 'etc', 'tmp']) tar.entry({ name, type: 'directory', mode: 0o755 });
  tar.entry({ name: 'etc/passwd' }, 'root:x:0:0:root:/root:/bin/sh\n');
  tar.entry({ name: 'etc/group' }, 'root:x:0:\n');
  tar.finalize();
  return buffer(Readable.from(tar));
}
