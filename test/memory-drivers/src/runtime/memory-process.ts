import type { OciProcess, TerminalSize } from '@gantry/core/contracts';
import { ByteQueue } from './byte-queue.js';
import { programFor } from './program-for.js';
import type { StreamName } from './spool.js';

interface ProcessParts {
  readonly pid: number;
  readonly process: OciProcess;
  readonly openStdin: boolean;
  readonly hostname: string;
  /** The first of its task: the kernel spares it every signal it has no handler for, except SIGKILL. */
  readonly isFirst: boolean;
  /** Takes output, in order; the process waits for it. */
  write(stream: StreamName, bytes: Uint8Array): Promise<void>;
  /** Settles when the task is not frozen. */
  thawed(): Promise<void>;
}

/** What a program can do. Everything that waits ends with the process. */
export interface Machine {
  readonly args: readonly string[];
  readonly env: Map<string, string>;
  readonly cwd: string;
  readonly hostname: string;
  readonly pid: number;
  readonly terminal: boolean;
  readonly size: TerminalSize;
  write(stream: StreamName, text: string | Uint8Array): Promise<void>;
  /** Undefined at the end of stdin. */
  read(): Promise<Uint8Array | undefined>;
  /** The next line of stdin, without its end. Undefined at the end. */
  readLine(): Promise<string | undefined>;
  /** Ends early when a signal has a handler, which is then waiting to be run. */
  sleep(milliseconds: number): Promise<void>;
  /** Handlers, by signal number. */
  readonly traps: Map<number, string>;
  /** Signals that have come and have a handler, oldest first. */
  readonly pending: number[];
}

export type Program = (machine: Machine) => Promise<number>;

/** How a signal ended a process. */
class Killed {
  constructor(readonly signal: number) {}
}

const SIGKILL = 9;
/** CHLD, CONT, URG and WINCH do nothing to a process that has not asked for them. */
const harmless = new Set([0, 17, 18, 23, 28]);

/** A process that is an interpreted program, in time with the event loop. */
export class MemoryProcess {
  readonly pid: number;
  readonly terminal: boolean;
  readonly stdin: ByteQueue | undefined;
  readonly args: readonly string[];
  /** The exit code. Never rejects. */
  readonly ended: Promise<number>;
  hasEnded = false;
  size: TerminalSize;
  #die: (killed: Killed) => void = () => undefined;
  #interrupt: () => void = () => undefined;
  readonly #death: Promise<never>;
  readonly #traps = new Map<number, string>();
  readonly #pending: number[] = [];

  /** Begins to run when `begin` resolves. */
  constructor(
    private readonly parts: ProcessParts,
    begin: Promise<void>,
  ) {
    const { process } = parts;
    this.pid = parts.pid;
    this.args = process.args;
    this.terminal = process.terminal === true;
    this.size = process.consoleSize ?? { height: 0, width: 0 };
    this.stdin = parts.openStdin ? new ByteQueue() : undefined;
    this.#death = new Promise((_, reject) => {
      this.#die = reject;
    });
    this.#death.catch(() => undefined);
    const program = programFor(process.args[0] ?? '');
    this.ended = this.#run(program, begin);
  }

  /** False when it has ended. */
  signal(number: number): boolean {
    if (this.hasEnded) return false;
    if (number === SIGKILL) this.#die(new Killed(number));
    else if (this.#traps.has(number)) {
      this.#pending.push(number);
      this.#interrupt();
    } else if (!this.parts.isFirst && !harmless.has(number)) {
      void this.parts.thawed().then(() => this.#die(new Killed(number)));
    }
    return true;
  }

  async #run(program: Program, begin: Promise<void>): Promise<number> {
    let code: number;
    try {
      await this.#unlessKilled(begin);
      code = await this.#unlessKilled(program(this.#machine()));
      await this.#unlessKilled(this.parts.thawed());
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      code = 128 + error.signal;
    }
    this.hasEnded = true;
    this.stdin?.wake();
    return code & 0xff;
  }

  #unlessKilled<T>(work: Promise<T>): Promise<T> {
    return Promise.race([this.#death, work]);
  }

  #machine(): Machine {
    const { process, hostname } = this.parts;
    const { args, cwd } = process;
    const env = new Map((process.env ?? []).map((entry) => splitOnce(entry, '=')));
    const size = (): TerminalSize => this.size;
    const step = async <T>(work: () => Promise<T>): Promise<T> => {
      await this.#unlessKilled(this.parts.thawed());
      return this.#unlessKilled(work());
    };
    return {
      args,
      env,
      cwd,
      hostname,
      pid: this.parts.isFirst ? 1 : this.pid,
      terminal: this.terminal,
      get size() {
        return size();
      },
      write: (stream, text) => step(() => this.#write(stream, typeof text === 'string' ? Buffer.from(text) : text)),
      read: () => step(async () => this.stdin?.read()),
      readLine: () => step(() => readLine(this.stdin)),
      sleep: (milliseconds) => step(() => this.#sleep(milliseconds)),
      traps: this.#traps,
      pending: this.#pending,
    };
  }

  /** A terminal has one stream, and ends lines its own way. */
  #write(stream: StreamName, bytes: Uint8Array): Promise<void> {
    if (!this.terminal) return this.parts.write(stream, bytes);
    return this.parts.write(
      'stdout',
      Buffer.from(Buffer.from(bytes).toString('latin1').replace(/\n/g, '\r\n'), 'latin1'),
    );
  }

  #sleep(milliseconds: number): Promise<void> {
    if (this.#pending.length > 0) return Promise.resolve();
    return new Promise((resolve) => {
      // Longer ones would not fit a timer.
      const timer = setTimeout(resolve, Math.min(milliseconds, 2 ** 31 - 1));
      // What a crash in a test has left running would keep the test's own process.
      timer.unref();
      this.#interrupt = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#death.catch(() => clearTimeout(timer));
    });
  }
}

async function readLine(stdin: ByteQueue | undefined): Promise<string | undefined> {
  let line = Buffer.alloc(0);
  for (;;) {
    const chunk = await stdin?.read();
    if (chunk === undefined) return line.length === 0 ? undefined : line.toString();
    const end = chunk.indexOf(0x0a);
    line = Buffer.concat([line, end < 0 ? chunk : chunk.subarray(0, end)]);
    if (end < 0) continue;
    stdin?.unread(chunk.subarray(end + 1));
    return line.toString();
  }
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
