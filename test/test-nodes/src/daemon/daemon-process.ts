import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** `gantryd.js` of the project itself. */
export const ownProgram = fileURLToPath(new URL('bin/gantryd.js', import.meta.resolve('gantry/package.json')));

interface DaemonProgram {
  /** `gantryd.js` of an installation; the default is the project's own. */
  readonly program?: string;
  readonly configFile: string;
  readonly socket: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** A program that runs its arguments, such as `unshare --net`; its process becomes the daemon's. */
  readonly within?: readonly string[];
}

/** `gantryd` with one configuration: one process after the other. */
export class DaemonProcess {
  #child: ChildProcess | undefined;
  #output = '';
  #startMilliseconds = 0;
  /** `gantryd.js` that is started from now on. */
  program: string;

  constructor(private readonly options: DaemonProgram) {
    this.program = options.program ?? ownProgram;
  }

  /** Resolves when it answers. */
  async start(environment: NodeJS.ProcessEnv = {}): Promise<void> {
    const began = performance.now();
    const words = [...(this.options.within ?? []), process.execPath, this.program, '--config', this.options.configFile];
    const child = spawn(words[0] as string, words.slice(1), {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, ...this.options.environment, ...environment },
    });
    this.#child = child;
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#output += text;
    });
    await untilAnswering(this.options.socket, child, () => this.#output);
    this.#startMilliseconds = performance.now() - began;
  }

  /** Resolves when it has ended; at once when it does not run. */
  async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#running;
    if (child === undefined) return;
    child.kill(signal);
    await once(child, 'exit', { signal: AbortSignal.timeout(120_000) });
  }

  /** Resolves when it has ended by itself. */
  async ended(): Promise<void> {
    const child = this.#running;
    if (child !== undefined) await once(child, 'exit');
  }

  /** Runs `gantryd` with a command for this daemon. */
  async command(
    command: string,
    args: readonly string[],
  ): Promise<{ readonly code: number | null; readonly said: string }> {
    const words = [
      ...(this.options.within ?? []),
      process.execPath,
      this.program,
      command,
      ...args,
      '--config',
      this.options.configFile,
    ];
    const run = spawn(words[0] as string, words.slice(1), {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...this.options.environment },
    });
    const exit = once(run, 'exit');
    const said = await text(run.stdout);
    const [code] = await exit;
    return { code, said };
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Of the last one. */
  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** What all of them wrote to the log. */
  get output(): string {
    return this.#output;
  }

  /** From the start of the last one to its first answer. */
  get startMilliseconds(): number {
    return this.#startMilliseconds;
  }

  get #running(): ChildProcess | undefined {
    return this.#child?.exitCode === null && this.#child.signalCode === null ? this.#child : undefined;
  }
}

/** Resolves when a daemon answers on a socket; rejects when its process ends before. */
export async function untilAnswering(socket: string, child: ChildProcess, output: () => string): Promise<void> {
  const began = Date.now();
  const deadline = began + 900_000;
  while (!(await answers(socket))) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the daemon ended: ${output()}`);
    if (Date.now() > deadline) throw new Error(`the daemon does not answer: ${output()}`);
    // Seldom on a slow host, where asking takes what the start needs.
    await new Promise((resolve) => setTimeout(resolve, Math.max(5, (Date.now() - began) / 20)));
  }
}

function answers(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    request({ socketPath, path: '/_ping' }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    })
      .on('error', () => resolve(false))
      .end();
  });
}
