import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { promisify } from 'node:util';
import { eventually, type Scope } from '@gantry/test-nodes';

const run = promisify(execFile);

interface TerminalOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** Programs that enter namespaces and become another user, before the program on the terminal. */
  readonly within?: readonly string[];
}

interface Size {
  readonly rows: number;
  readonly columns: number;
}

/** A program on a terminal of its own, as script(1) makes one; afterwards a shell shows how it has left the terminal. */
export class Terminal {
  #output = '';
  readonly #exit: Promise<number>;

  private constructor(private readonly child: ChildProcessByStdio<Writable, Readable, null>) {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#output += text;
    });
    this.#exit = once(child, 'close').then(([code]) => code as number);
  }

  /** Starts the program in the foreground of a terminal of this size. It ends with the test at the latest. */
  static open(
    t: Scope,
    command: readonly string[],
    { rows, columns }: Size,
    { environment = {}, within = [] }: TerminalOptions = {},
  ): Terminal {
    const words = command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
    const script = `echo $$; tty; stty rows ${rows} cols ${columns}; ${words}; code=$?; stty -a; exit $code`;
    const [file = '', ...args] = [...within, 'script', '--quiet', '--return', '--command', script, '/dev/null'];
    const env = { ...process.env, ...environment, SHELL: '/bin/sh' };
    const terminal = new Terminal(spawn(file, args, { env, stdio: ['pipe', 'pipe', 'inherit'] }));
    t.teardown(() => terminal.#end());
    return terminal;
  }

  /** All that was shown so far, with line feeds alone between lines. */
  get output(): string {
    return this.#output.replaceAll('\r\n', '\n');
  }

  type(text: string): void {
    this.child.stdin.write(text);
  }

  /** Resolves to what matches. */
  async shows(pattern: RegExp): Promise<string> {
    const failed = this.#exit.then(() => {
      const last = pattern.exec(this.output);
      if (last === null) throw new Error(`the program has ended, without ${pattern}: ${this.output}`);
      return last[0];
    });
    failed.catch(() => undefined);
    return Promise.race([failed, eventually(`${pattern} is shown`, () => pattern.exec(this.output)?.[0])]);
  }

  /** As a window that is resized. */
  async resize({ rows, columns }: Size): Promise<void> {
    const device = await this.shows(/^\/dev\/pts\/\d+$/m);
    await run('stty', ['-F', device, 'rows', `${rows}`, 'cols', `${columns}`]);
  }

  /** The shell is in a process group with the program. */
  async #end(): Promise<void> {
    const [group] = /^\d+$/m.exec(this.output) ?? [];
    if (this.child.exitCode === null && group !== undefined) process.kill(-group, 'SIGKILL');
    await this.#exit;
  }

  /** Resolves to the exit code of the program. */
  ended(): Promise<number> {
    return this.#exit;
  }
}
