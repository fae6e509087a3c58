import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type SourceContext, SourceError } from '@gantry/core/contracts';
import { isErrno } from '@gantry/lib-linux';
import type { Launcher, ProcessExit } from '@gantry/lib-linux/launcher';
import type { Processes } from '@gantry/lib-linux/processes';
import { ActivityWatch } from './activity-watch.js';
import { missingProgram } from './missing-program.js';
import { OutputTail } from './output-tail.js';
import { ProgramRecords } from './program-records.js';
import { readLines } from './read-lines.js';
import { redact } from './redact.js';
import { type StartedProgram, startProgram } from './start-program.js';

/** One invocation of a program. */
export interface ProgramCall {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array | Readable;
  /** Receives the lines of stderr, and those of stdout unless `output` or `capture` takes them. */
  readonly onLine?: (line: string) => void;
  /** Receives stdout; ended with it. */
  readonly output?: Writable;
  /** Returns stdout, up to 64 MiB. */
  readonly capture?: boolean;
  /** Recognizes a failure by the end of the program's output; without a result it is `tool-failed`. */
  readonly explain?: (output: string) => SourceError | undefined;
}

interface SandboxOptions extends Pick<SourceContext, 'scratch' | 'signal' | 'stallSeconds' | 'maxBytes'> {
  readonly launcher: Launcher;
  readonly processes: Processes;
  /** Redacted from the output of programs. */
  readonly secrets?: readonly string[];
  /** Directories that count towards `maxBytes` beside the scratch directory. */
  readonly watched?: readonly string[];
}

const maxCaptured = 64 * 2 ** 20;

/**
 * Runs the programs of one call: with a home directory of its own, without configuration of the host or the source,
 * and aborted with the call.
 */
export class ToolSandbox {
  /** Homes of calls in progress; any other is an orphan of a killed daemon. */
  static readonly #homes = new Set<string>();

  readonly scratch: string;
  readonly home: string;
  readonly watch: ActivityWatch;
  readonly #records: ProgramRecords;

  private constructor(private readonly options: SandboxOptions) {
    const { scratch, processes, watched = [] } = options;
    this.scratch = scratch;
    this.home = join(scratch, `home-${randomBytes(6).toString('hex')}`);
    this.#records = new ProgramRecords(join(scratch, 'programs'), processes);
    this.watch = new ActivityWatch(options, [scratch, ...watched]);
  }

  /** Opens a sandbox, after killing the programs and removing the homes that a killed daemon left in the directory. */
  static async open(options: SandboxOptions): Promise<ToolSandbox> {
    options.signal?.throwIfAborted();
    await mkdir(options.scratch, { recursive: true, mode: 0o700 });
    const sandbox = new ToolSandbox(options);
    await sandbox.#records.killOrphans();
    await sandbox.#removeOrphanedHomes();
    ToolSandbox.#homes.add(sandbox.home);
    await mkdir(sandbox.home, { mode: 0o700 });
    return sandbox;
  }

  /** Removes the home, with the credentials in it. */
  async close(): Promise<void> {
    this.watch.close();
    await rm(this.home, { recursive: true, force: true });
    ToolSandbox.#homes.delete(this.home);
  }

  async #removeOrphanedHomes(): Promise<void> {
    for (const name of await readdir(this.scratch)) {
      const path = join(this.scratch, name);
      if (name.startsWith('home-') && !ToolSandbox.#homes.has(path)) await rm(path, { recursive: true, force: true });
    }
  }

  get signal(): AbortSignal {
    return this.watch.signal;
  }

  get environment(): Readonly<Record<string, string>> {
    return { HOME: this.home, LC_ALL: 'C.UTF-8', TMPDIR: this.home, XDG_CONFIG_HOME: this.home };
  }

  /** Runs a program until it exits; resolves to its stdout with `capture`. Rejects SourceError, or the signal's reason. */
  async run(step: string, call: ProgramCall): Promise<Buffer> {
    const started = await this.#start(step, call);
    const tail = new OutputTail();
    const captured: Buffer[] = [];
    const written = writeInput(call.input, started.stdin);
    const read = this.#readOutput(call, started, captured, tail);
    await this.#exited(step, call, started, tail, [written, read]);
    return Buffer.concat(captured);
  }

  /** Runs programs as a pipeline. Rejects with the failure that caused the others. */
  async runPiped(step: string, calls: readonly ProgramCall[]): Promise<void> {
    const pipes = calls.slice(1).map(() => new PassThrough({ highWaterMark: 2 ** 20 }));
    const results = await Promise.allSettled(
      calls.map((call, index) => {
        const [input, output] = [pipes[index - 1], pipes[index]];
        const piped = { ...call, ...(input !== undefined && { input }), ...(output !== undefined && { output }) };
        return this.run(step, piped).catch((error: unknown) => {
          input?.destroy();
          output?.destroy();
          throw error;
        });
      }),
    );
    const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
    if (errors.length > 0) throw errors.find((error) => !isConsequence(error)) ?? errors[0];
  }

  async #start(step: string, call: ProgramCall): Promise<StartedProgram> {
    this.watch.throwIfAborted();
    const { program, args, cwd = this.scratch, env } = call;
    try {
      return await startProgram(this.options.launcher, { program, args, cwd, env: { ...this.environment, ...env } });
    } catch (error) {
      if (isErrno(error, 'ENOENT')) throw missingProgram(program, step, error);
      throw error;
    }
  }

  async #readOutput(
    call: ProgramCall,
    { stdout, stderr }: StartedProgram,
    captured: Buffer[],
    tail: OutputTail,
  ): Promise<void> {
    const onLine = (line: string): void => {
      this.watch.recordActivity();
      tail.add(line);
      call.onLine?.(line);
    };
    const readStdout = async (): Promise<void> => {
      if (call.capture === true) return capture(stdout, captured);
      if (call.output === undefined) return readLines(stdout, onLine);
      stdout.on('data', () => this.watch.recordActivity());
      return pipeline(stdout, call.output);
    };
    await Promise.all([readStdout(), readLines(stderr, onLine)]);
  }

  async #exited(
    step: string,
    call: ProgramCall,
    started: StartedProgram,
    tail: OutputTail,
    flows: readonly Promise<void>[],
  ): Promise<void> {
    const { pid, exited } = started.process;
    const onAbort = (): void => started.stop();
    if (this.signal.aborted) onAbort();
    this.signal.addEventListener('abort', onAbort, { once: true });
    const streamError = Promise.all(flows).then(
      () => undefined,
      (error: unknown) => {
        onAbort();
        return error instanceof Error ? error : new Error(String(error));
      },
    );
    try {
      await this.#records.add(pid).catch((error: unknown) => {
        onAbort();
        throw error;
      });
      const exit = await exited;
      started.stdin.destroy();
      const error = await streamError;
      this.watch.throwIfAborted();
      // A failed input stream explains the exit.
      if (SourceError.is(error)) throw error;
      if (exit.code !== 0) throw this.#failure(step, call, exit, tail);
      if (error !== undefined) throw error;
    } finally {
      this.signal.removeEventListener('abort', onAbort);
      await this.#records.delete(pid);
    }
  }

  #failure(step: string, { program, args, explain }: ProgramCall, exit: ProcessExit, tail: OutputTail): SourceError {
    const output = redact(tail.toString(), this.options.secrets ?? []);
    const explained = explain?.(output);
    if (explained !== undefined) return explained;
    const how = exit.code === undefined ? `was killed by signal ${exit.signal}` : `exited with code ${exit.code}`;
    const name = /^(git|hg|svn)$/.test(program) ? `${program} ${args[0] ?? ''}` : program;
    const lastLine = output.split('\n').at(-1) ?? '';
    const message = `${name} ${how}${lastLine && `: ${lastLine}`}`;
    return new SourceError('tool-failed', message, step, output, { cause: exit });
  }
}

/** Whether a program failed only because the one it was piped to did. */
function isConsequence(error: unknown): boolean {
  if (!SourceError.is(error) || error.failure !== 'tool-failed') return isClosedEarly(error);
  const { code } = error.cause as ProcessExit;
  return code === undefined || /broken pipe|premature end|unexpected end|early EOF/i.test(error.output);
}

async function writeInput(input: ProgramCall['input'], stdin: Writable): Promise<void> {
  if (input === undefined || typeof input === 'string' || input instanceof Uint8Array) {
    stdin.end(input);
    return;
  }
  // A program may exit without having read all of it; its exit status says whether that was an error.
  await pipeline(input, stdin).catch((error: unknown) => {
    if (!isErrno(error, 'EPIPE') && !isClosedEarly(error)) throw error;
  });
}

const isClosedEarly = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';

async function capture(stdout: Readable, captured: Buffer[]): Promise<void> {
  let bytes = 0;
  for await (const chunk of stdout as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxCaptured) throw new Error(`a program printed more than ${maxCaptured} bytes`);
    captured.push(chunk);
  }
}
