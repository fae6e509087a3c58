import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Scope } from '@gantry/test-nodes';
import type { FleetAnswer, FleetCommands, FleetRequest } from './fleet-commands.js';

const program = fileURLToPath(new URL('fleet-main.js', import.meta.url));

/** The process of the simulated nodes, which is in the network of a namespace. Ends with the scope. */
export class FleetProcess {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (answer: FleetAnswer) => void>();
  #asked = 0;
  /** How it has ended. */
  #exit: string | undefined;

  private constructor(t: Scope, within: readonly string[], directory: string) {
    const [first = '', ...args] = [...within, process.execPath, program, directory];
    this.#child = spawn(first, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    this.#child.on('message', (answer: FleetAnswer) => {
      this.#waiting.get(answer.number)?.(answer);
      this.#waiting.delete(answer.number);
    });
    this.#child.on('exit', (code, signal) => {
      this.#exit = `the process of the nodes ended: ${signal ?? code}`;
      for (const [number, settle] of this.#waiting) {
        settle({ number, error: this.#exit });
      }
      this.#waiting.clear();
    });
    t.teardown(() => this.#end());
  }

  /** @param within a program that runs its arguments in the namespace. */
  static async start(t: Scope, within: readonly string[]): Promise<FleetProcess> {
    const directory = await mkdtemp(join(tmpdir(), 'gantry-fleet-'));
    t.teardown(() => rm(directory, { recursive: true, force: true }));
    return new FleetProcess(t, within, directory);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Rejects with the error of the command. */
  async ask<C extends keyof FleetCommands>(
    command: C,
    ...[argument]: Parameters<FleetCommands[C]>
  ): Promise<Awaited<ReturnType<FleetCommands[C]>>> {
    if (this.#exit !== undefined) throw new Error(this.#exit);
    const number = ++this.#asked;
    const request: FleetRequest = { number, command, argument };
    const answer = await new Promise<FleetAnswer>((resolve) => {
      this.#waiting.set(number, resolve);
      this.#child.send(request, (error) => {
        if (error !== null) resolve({ number, error: error.message });
      });
    });
    if (answer.error !== undefined) throw new Error(`${command}: ${answer.error}`);
    return answer.result as Awaited<ReturnType<FleetCommands[C]>>;
  }

  async #end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.disconnect();
    await ended;
  }
}
