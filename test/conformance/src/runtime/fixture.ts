import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type {
  ExecProcess,
  ExecRequest,
  OciProcess,
  OciSpec,
  OutputChunk,
  RuntimeDriver,
  TaskExit,
  TaskRequest,
} from '@gantry/core/contracts';
import { until } from '../expectations.js';
import type { Opened, ReopenOptions } from '../open-driver.js';
import type { Assertions } from '../test-interface.js';

interface TaskOptions {
  readonly id?: string;
  readonly terminal?: boolean;
  readonly openStdin?: boolean;
  readonly stdinOnce?: boolean;
  /** Without a spool. */
  readonly unspooled?: boolean;
  readonly runtime?: string;
}

type ExecOptions = Partial<Omit<ExecRequest, 'process'>> & { readonly terminal?: boolean };

/** Fixture of the runtime checks: one driver, its tasks and the exits it has published. */
export class Fixture {
  readonly exits: TaskExit[] = [];
  #opened: Opened<RuntimeDriver>;
  #execs = 0;

  constructor(
    opened: Opened<RuntimeDriver>,
    private readonly rootfs: string,
  ) {
    this.#opened = opened;
    this.#listen();
  }

  get driver(): RuntimeDriver {
    return this.#opened.driver;
  }

  /** The request for a task named `task` that runs a program. */
  request(args: readonly string[], options: TaskOptions = {}): TaskRequest {
    const { id = 'task', terminal = false, openStdin = false, stdinOnce = false, unspooled = false } = options;
    return {
      id,
      spec: specFor(this.rootfs, processFor(args, terminal)),
      openStdin,
      stdinOnce,
      spool: unspooled ? undefined : this.spool(id),
      ...(options.runtime !== undefined && { runtime: options.runtime }),
    };
  }

  async create(args: readonly string[], options: TaskOptions = {}): Promise<string> {
    const request = this.request(args, options);
    await this.driver.create(request);
    return request.id;
  }

  /** Creates a task and starts it. */
  async run(args: readonly string[], options: TaskOptions = {}): Promise<string> {
    const id = await this.create(args, options);
    await this.driver.startTask(id);
    return id;
  }

  /** Runs a script to its end. */
  async complete(script: string, options: TaskOptions = {}): Promise<TaskExit> {
    return this.ended(await this.run(sh(script), options));
  }

  /** Waits for an exit to be published. */
  async ended(id: string): Promise<TaskExit> {
    const find = (): TaskExit | undefined => this.exits.find((exit) => exit.id === id);
    await until(`the exit of ${id} is published`, () => find() !== undefined);
    return find() as TaskExit;
  }

  async status(id: string): Promise<string> {
    return (await this.driver.status(id)).status;
  }

  exec(id: string, args: readonly string[], options: ExecOptions = {}): Promise<ExecProcess> {
    const { terminal = false, openStdin = false, detached = false } = options;
    this.#execs += 1;
    const { execId = `exec${this.#execs}` } = options;
    return this.driver.processes.exec(id, { execId, process: processFor(args, terminal), openStdin, detached });
  }

  spool(id: string): string {
    return join(this.#opened.dirs.root, `${id}.log`);
  }

  /** What the spool has of a stream, records put together. */
  async spooled(id: string, stream = 'stdout'): Promise<string> {
    return textOfSpool(await readFile(this.spool(id), 'utf8'), stream);
  }

  /** Goes on with the driver that comes after this one. */
  async reopen(options: ReopenOptions): Promise<void> {
    this.#opened = await this.#opened.reopen(options);
    this.#listen();
  }

  /** Deletes the tasks, so that a check may end at any point. */
  async clear(): Promise<void> {
    const tasks = await this.driver.tasks();
    await Promise.all(tasks.map(({ id }) => this.driver.delete(id, { force: true })));
  }

  #listen(): void {
    this.driver.onExit((exit) => this.exits.push(exit));
  }
}

export const sh = (script: string): readonly string[] => ['sh', '-c', script];

type Output = AsyncIterable<OutputChunk> | undefined;

/** Says two lines, and then the size of its terminal for each line it gets: a size may take a moment to arrive. */
export const sizeScript = `echo out; echo err >&2${'; read x; stty size'.repeat(500)}`;

/** The output of a process to its end, of both streams or one. Without an output nothing. */
export async function textOf(output: Output, stream?: OutputChunk['stream']): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of output ?? []) {
    if (stream === undefined || chunk.stream === stream) chunks.push(Uint8Array.from(chunk.bytes));
  }
  return Buffer.concat(chunks).toString();
}

/** Collects output from now on, to look at while it comes. */
export function watchOutput(output: Output): { readonly text: string } {
  const seen = { text: '' };
  void (async () => {
    for await (const { bytes } of output ?? []) seen.text += Buffer.from(bytes).toString();
  })().catch(() => undefined);
  return seen;
}

/** Puts the records of a spool together: a part's line goes on in the next record of its stream. */
export function textOfSpool(spool: string, stream: string): string {
  return spool
    .split('\n')
    .map((line) => /^\S+ (\S+) ([FP]) (.*)$/.exec(line))
    .filter((record) => record?.[1] === stream)
    .map((record) => `${record?.[3] ?? ''}${record?.[2] === 'F' ? '\n' : ''}`)
    .join('');
}

/** The exit codes of a refusal, which only errors of a start have. */
export const exitCodeOf = (error: unknown): unknown => (error as { exitCode?: unknown }).exitCode;

/** Asserts that the promise is still waiting after everything that could settle it at once has had its turn. */
export async function waits(t: Assertions, promise: Promise<unknown>, milliseconds = 50): Promise<void> {
  let isSettled = false;
  const settle = (): void => {
    isSettled = true;
  };
  promise.then(settle, settle);
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  t.false(isSettled, 'it waits');
}

const capabilities = ['CAP_CHOWN', 'CAP_KILL', 'CAP_SETUID', 'CAP_SETGID', 'CAP_NET_BIND_SERVICE'];

const processFor = (args: readonly string[], terminal: boolean): OciProcess => ({
  terminal,
  user: { uid: 0, gid: 0 },
  args,
  env: ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'TERM=xterm'],
  cwd: '/',
  capabilities: { bounding: capabilities, effective: capabilities, permitted: capabilities },
  noNewPrivileges: true,
});

const specFor = (rootfs: string, process: OciProcess): OciSpec => ({
  ociVersion: '1.0.2',
  process,
  root: { path: rootfs },
  hostname: 'conformance',
  mounts: [
    { destination: '/proc', type: 'proc', source: 'proc', options: ['nosuid', 'noexec', 'nodev'] },
    { destination: '/dev', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'mode=755', 'size=65536k'] },
    {
      destination: '/dev/pts',
      type: 'devpts',
      source: 'devpts',
      options: ['newinstance', 'ptmxmode=0666', 'mode=0620'],
    },
  ],
  linux: {
    namespaces: (['pid', 'mount', 'ipc', 'uts'] as const).map((type) => ({ type })),
    resources: { devices: [{ allow: false, access: 'rwm' }], memory: { limit: 64 * 2 ** 20 } },
  },
});
