import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Scope } from '@gantry/test-nodes';
import type { Answer, Arguments, Request, Result } from './commands.js';

interface Started {
  /** A module that calls `serveCommands`. */
  readonly program: string;
  /** A program that runs its arguments, such as in a namespace; nothing for one that runs as this process does. */
  readonly within?: readonly string[];
}

/** A process with simulated nodes, which does what it is asked. Ends with the scope. @template C its commands, as methods. */
export class CommandProcess<C> {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #asked = 0;
  /** How it has ended. */
  #exit: string | undefined;

  private constructor(t: Scope, { program, within = [] }: Started, directory: string) {
    const [first = '', ...args] = [...within, process.execPath, program, directory];
    this.#child = spawn(first, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    this.#child.on('message', (answer: Answer) => {
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

  /** Gives it a directory that is removed with the scope. */
  static async start<C>(t: Scope, started: Started): Promise<CommandProcess<C>> {
    const directory = await mkdtemp(join(tmpdir(), 'gantry-fleet-'));
    t.teardown(() => rm(directory, { recursive: true, force: true }));
    return new CommandProcess<C>(t, started, directory);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Rejects with the error of the command. */
  async ask<N extends keyof C & string>(command: N, ...[argument]: Arguments<C[N]>): Promise<Result<C[N]>> {
    if (this.#exit !== undefined) throw new Error(this.#exit);
    const number = ++this.#asked;
    const request: Request = { number, command, argument };
    const answer = await new Promise<Answer>((resolve) => {
      this.#waiting.set(number, resolve);
      this.#child.send(request, (error) => {
        if (error !== null) resolve({ number, error: error.message });
      });
    });
    if (answer.error !== undefined) throw new Error(`${command}: ${answer.error}`);
    return answer.result as Result<C[N]>;
  }

  async #end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.disconnect();
    await ended;
  }
}
