import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isErrno } from '@gantry/lib-linux';
import { type Launcher, type ProcessExit, SpawnLauncher } from '@gantry/lib-linux/launcher';
import type { ConversionContext } from '../conversion-context.js';
import { SourceError } from '../source-error.js';
import { LastWords } from './last-words.js';
import { readLines } from './lines.js';
import { missingProgram } from './missing-program.js';
import { Orphans } from './orphans.js';
import { redact } from './redact.js';
import { type StartedTool, startTool } from './start-tool.js';
import { Watch } from './watch.js';

/** One call of a program. */
export interface Tool {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array | Readable;
  /** Lines of both streams, unless `output` or `keep` takes what it prints. */
  readonly onLine?: (line: string) => void;
  /** Where what it prints goes; ended at its end. */
  readonly output?: Writable;
  /** Gives what it prints back, up to 64 MiB. */
  readonly keep?: boolean;
  /** A failure of a kind of its own, by the program's last words; anything else is `tool-failed`. */
  readonly explain?: (words: string) => SourceError | undefined;
}

const mostKept = 64 * 2 ** 20;

/**
 * Where the programs of one call work: a home of their own with nothing of the host's or the source's configuration,
 * and an end that comes with the call's.
 */
export class Workshop {
  readonly home: string;
  readonly #launcher: Launcher;
  readonly #orphans: Orphans;
  readonly watch: Watch;

  private constructor(
    readonly scratch: string,
    context: Pick<ConversionContext, 'launcher' | 'signal' | 'stallSeconds' | 'maxBytes'>,
    watched: readonly string[],
    private readonly secrets: readonly string[],
  ) {
    this.home = join(scratch, `home-${randomBytes(6).toString('hex')}`);
    this.#launcher = context.launcher ?? new SpawnLauncher();
    this.#orphans = new Orphans(join(scratch, 'programs'));
    this.watch = new Watch(context, [scratch, ...watched]);
  }

  /** The caller's to close. */
  static async open(
    context: Pick<ConversionContext, 'scratch' | 'launcher' | 'signal' | 'stallSeconds' | 'maxBytes'>,
    { secrets = [], watched = [] }: { readonly secrets?: readonly string[]; readonly watched?: readonly string[] } = {},
  ): Promise<Workshop> {
    context.signal?.throwIfAborted();
    await mkdir(context.scratch, { recursive: true, mode: 0o700 });
    const workshop = new Workshop(context.scratch, context, watched, secrets);
    await workshop.#orphans.end();
    await workshop.#removeLeftHomes();
    Workshop.#homes.add(workshop.home);
    await mkdir(workshop.home, { mode: 0o700 });
    return workshop;
  }

  /** Removes the home, with the credentials in it. */
  async close(): Promise<void> {
    this.watch.close();
    await rm(this.home, { recursive: true, force: true });
    Workshop.#homes.delete(this.home);
  }

  /** Of a daemon that was killed; others belong to calls that are under way. */
  async #removeLeftHomes(): Promise<void> {
    for (const name of await readdir(this.scratch)) {
      const path = join(this.scratch, name);
      if (name.startsWith('home-') && !Workshop.#homes.has(path)) await rm(path, { recursive: true, force: true });
    }
  }

  static readonly #homes = new Set<string>();

  get signal(): AbortSignal {
    return this.watch.signal;
  }

  /** Runs a program to its end. @returns what it printed, with `keep`. Rejects SourceError, or the signal's reason. */
  async run(step: string, tool: Tool): Promise<Buffer> {
    const { started, words } = await this.#start(step, tool);
    const kept: Buffer[] = [];
    const fed = feed(tool.input, started.stdin);
    const printed = this.#print(tool, started, kept, words);
    await this.#ended(step, tool, started, words, [fed, printed]);
    return Buffer.concat(kept);
  }

  /** Runs programs of which each reads what the one before it prints. Rejects as the one that failed first does. */
  async runPiped(step: string, tools: readonly Tool[]): Promise<void> {
    const joints = tools.slice(1).map(() => new PassThrough({ highWaterMark: 2 ** 20 }));
    const ends = await Promise.allSettled(
      tools.map((tool, index) => {
        const [input, output] = [joints[index - 1], joints[index]];
        const joined = { ...tool, ...(input !== undefined && { input }), ...(output !== undefined && { output }) };
        return this.run(step, joined).catch((error: unknown) => {
          input?.destroy();
          output?.destroy();
          throw error;
        });
      }),
    );
    const errors = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
    if (errors.length > 0) throw errors.find((error) => !isAftermath(error)) ?? errors[0];
  }

  async #start(step: string, tool: Tool): Promise<{ started: StartedTool; words: LastWords }> {
    this.watch.throwIfEnded();
    const { program, args, cwd = this.scratch, env } = tool;
    try {
      const started = await startTool(this.#launcher, { program, args, cwd, env: { ...this.environment, ...env } });
      return { started, words: new LastWords() };
    } catch (error) {
      if (isErrno(error, 'ENOENT')) throw missingProgram(program, step, error);
      throw error;
    }
  }

  get environment(): Readonly<Record<string, string>> {
    return { HOME: this.home, LC_ALL: 'C.UTF-8', TMPDIR: this.home, XDG_CONFIG_HOME: this.home };
  }

  async #print(tool: Tool, { stdout, stderr }: StartedTool, kept: Buffer[], words: LastWords): Promise<void> {
    const onLine = (line: string): void => {
      this.watch.seeActivity();
      words.add(line);
      tool.onLine?.(line);
    };
    const printed = async (): Promise<void> => {
      if (tool.keep === true) return keep(stdout, kept);
      if (tool.output === undefined) return readLines(stdout, onLine);
      stdout.on('data', () => this.watch.seeActivity());
      return pipeline(stdout, tool.output);
    };
    await Promise.all([printed(), readLines(stderr, onLine)]);
  }

  async #ended(
    step: string,
    tool: Tool,
    started: StartedTool,
    words: LastWords,
    flows: readonly Promise<void>[],
  ): Promise<void> {
    const { pid, exited } = started.process;
    await this.#orphans.remember(pid);
    const onEnd = (): void => started.end();
    if (this.signal.aborted) onEnd();
    this.signal.addEventListener('abort', onEnd, { once: true });
    const broken = Promise.all(flows).then(
      () => undefined,
      (error: unknown) => {
        onEnd();
        return error instanceof Error ? error : new Error(String(error));
      },
    );
    try {
      const exit = await exited;
      started.stdin.destroy();
      const error = await broken;
      this.watch.throwIfEnded();
      // What it was fed with broke off: that is why it ended.
      if (SourceError.is(error)) throw error;
      if (exit.code !== 0) throw this.#failure(step, tool, exit, words);
      if (error !== undefined) throw error;
    } finally {
      this.signal.removeEventListener('abort', onEnd);
      await this.#orphans.forget(pid);
    }
  }

  #failure(step: string, { program, args, explain }: Tool, exit: ProcessExit, words: LastWords): SourceError {
    const said = redact(words.toString(), this.secrets);
    const explained = explain?.(said);
    if (explained !== undefined) return explained;
    const how = exit.code === undefined ? `was ended by signal ${exit.signal}` : `ended with code ${exit.code}`;
    const name = /^(git|hg|svn)$/.test(program) ? `${program} ${args[0] ?? ''}` : program;
    const last = said.split('\n').at(-1) ?? '';
    const message = `${name} ${how}${last && `: ${last}`}`;
    return new SourceError('tool-failed', message, step, said, { cause: exit });
  }
}

/** Whether a program failed only because the one it was joined to had. */
function isAftermath(error: unknown): boolean {
  if (!SourceError.is(error) || error.failure !== 'tool-failed') return isClosedEarly(error);
  const { code } = error.cause as ProcessExit;
  return code === undefined || /broken pipe|premature end|unexpected end|early EOF/i.test(error.output);
}

async function feed(input: Tool['input'], stdin: Writable): Promise<void> {
  if (input === undefined || typeof input === 'string' || input instanceof Uint8Array) {
    stdin.end(input);
    return;
  }
  // A program may end without having read all of it; its exit code says whether that was right.
  await pipeline(input, stdin).catch((error: unknown) => {
    if (!isErrno(error, 'EPIPE') && !isClosedEarly(error)) throw error;
  });
}

const isClosedEarly = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';

async function keep(stdout: Readable, kept: Buffer[]): Promise<void> {
  let bytes = 0;
  for await (const chunk of stdout as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mostKept) throw new Error('a program printed more than it should');
    kept.push(chunk);
  }
}
