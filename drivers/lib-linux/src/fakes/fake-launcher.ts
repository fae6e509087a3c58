import { createWriteStream } from 'node:fs';
import { PassThrough } from 'node:stream';
import { LinuxError } from '../errors/linux-error.js';
import type {
  LaunchedProcess,
  Launcher,
  LaunchRequest,
  ProcessExit,
  RunOptions,
  RunResult,
  StreamedProcess,
  StreamOptions,
} from '../launcher/launcher.js';

/** The behaviour of a fake program. */
export interface FakeProgram {
  /** Called at the start with the request. */
  readonly start?: (request: LaunchRequest) => void | Promise<void>;
  /** What it writes, given its input when that is known. */
  readonly output?: (input: Buffer, args: readonly string[]) => Uint8Array | string;
  readonly errors?: string;
  /** 0 by default. */
  readonly code?: number;
  /** Runs until it is killed. */
  readonly forever?: boolean;
}

export interface FakeCall {
  readonly file: string;
  readonly args: readonly string[];
}

/** Starts fake programs. A program without a configured behaviour does not exist. */
export class FakeLauncher implements Launcher {
  readonly calls: FakeCall[] = [];
  readonly #programs = new Map<string, FakeProgram>();
  #nextPid = 1_000_000;

  constructor(programs: Readonly<Record<string, FakeProgram>> = {}) {
    for (const [file, program] of Object.entries(programs)) this.#programs.set(file, program);
  }

  provide(file: string, program: FakeProgram): void {
    this.#programs.set(file, program);
  }

  async launch(request: LaunchRequest): Promise<LaunchedProcess> {
    const program = this.#begin(request.file, request.args);
    await program.start?.(request);
    const launched = this.#process(program);
    if (program.output !== undefined) this.#write(request.fds?.get(1), program.output(Buffer.alloc(0), request.args));
    return launched;
  }

  async run(file: string, args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
    options.signal?.throwIfAborted();
    const program = this.#begin(file, args);
    await program.start?.({ file, args, ...options });
    const launched = this.#process(program);
    if (options.signal?.aborted === true) launched.kill(9);
    options.signal?.addEventListener('abort', () => launched.kill(9), { once: true });
    const exit = await launched.exited;
    options.signal?.throwIfAborted();
    const input = options.input instanceof Uint8Array ? Buffer.from(options.input) : await all(options.input ?? []);
    return {
      ...exit,
      stdout: Buffer.from(program.output?.(input, args) ?? ''),
      stderr: Buffer.from(program.errors ?? ''),
      truncated: false,
    };
  }

  async stream(file: string, args: readonly string[], options: StreamOptions = {}): Promise<StreamedProcess> {
    const program = this.#begin(file, args);
    await program.start?.({ file, args, ...options });
    const process = this.#process({ ...program, forever: program.forever ?? false });
    const stdin = new PassThrough();
    const stdout = new PassThrough();
    void all(stdin).then((input) => stdout.end(program.output?.(input, args) ?? ''));
    return { stdin, stdout, stderr: Promise.resolve(Buffer.from(program.errors ?? '')), process };
  }

  #begin(file: string, args: readonly string[]): FakeProgram {
    this.calls.push({ file, args });
    const program = this.#programs.get(file);
    if (program === undefined) throw new LinuxError('ENOENT', 'posix_spawn', { path: file });
    return program;
  }

  #process(program: FakeProgram): LaunchedProcess {
    let end: (exit: ProcessExit) => void = () => undefined;
    const exited = new Promise<ProcessExit>((resolve) => {
      end = resolve;
    });
    if (program.forever !== true) end({ code: program.code ?? 0, signal: undefined });
    this.#nextPid += 1;
    return {
      pid: this.#nextPid,
      exited,
      kill: (signal) => end({ code: undefined, signal }),
      unref: () => undefined,
    };
  }

  #write(fd: number | undefined, output: Uint8Array | string): void {
    if (fd === undefined) return;
    createWriteStream('', { fd, autoClose: false }).end(output);
  }
}

async function all(source: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of source) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
