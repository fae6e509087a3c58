import { PassThrough } from 'node:stream';
import {
  ContainerProcesses,
  type ContainerRecord,
  ContainerService,
  type ExecProcessRequest,
  type PreparedProcess,
} from '@gantry/containers/service';
import { definePlugin } from '@gantry/core';
import type { ExecProcess, ExecRequest, OutputChunk, TerminalSize } from '@gantry/core/contracts';
import { conflict, notFound } from '@gantry/core/errors';
import { Type } from '@sinclair/typebox';

/** A process that does what the test says. */
export class FakeProcess implements ExecProcess {
  readonly pid = 42;
  readonly #output = new PassThrough({ objectMode: true });
  readonly streams: ExecProcess['streams'];
  readonly exited: Promise<number>;
  /** What it was given on stdin; `EOF` at the end. */
  readonly input: string[] = [];
  readonly sizes: TerminalSize[] = [];
  #exit: (code: number) => void = () => undefined;

  constructor(readonly request: ExecRequest) {
    this.exited = new Promise((resolve) => {
      this.#exit = resolve;
    });
    this.streams = request.detached
      ? undefined
      : {
          output: this.#output as never,
          writeStdin: async (bytes) => {
            this.input.push(Buffer.from(bytes).toString());
          },
          endStdin: async () => {
            this.input.push('EOF');
          },
          close: () => undefined,
        };
  }

  /** Writes output. @returns false when the buffer is full. */
  write(stream: OutputChunk['stream'], text: string | Buffer): boolean {
    return this.#output.write({ stream, bytes: Buffer.from(text) });
  }

  end(exitCode: number): void {
    this.#output.end();
    this.#exit(exitCode);
  }

  async resize(size: TerminalSize): Promise<void> {
    if (this.request.process.terminal !== true) throw conflict('the process has no terminal');
    this.sizes.push(size);
  }

  async kill(): Promise<void> {
    this.end(137);
  }
}

/** Containers, as execs see them: `web` runs. */
export class FakeContainers {
  readonly processes: FakeProcess[] = [];
  readonly requested: ExecProcessRequest[] = [];
  readonly published: string[] = [];
  readonly exitListeners = new Set<(id: string) => void>();
  execs: (id: string) => readonly string[] = () => [];
  state: 'running' | 'paused' | 'exited' | 'removed' = 'running';
  /** What the next start rejects with. */
  failure: Error | undefined;
  /** Every start waits for it. */
  gate: Promise<unknown> = Promise.resolve();

  requireRunning(reference: string): ContainerRecord {
    if (!['web', 'c1'].includes(reference) || this.state === 'removed') {
      throw notFound(`No such container: ${reference}`);
    }
    if (this.state === 'exited') throw conflict('Container c1 is not running');
    if (this.state === 'paused') throw conflict('Container c1 is paused, unpause the container before exec');
    return { id: 'c1' } as never;
  }

  async prepare(reference: string, request: ExecProcessRequest): Promise<PreparedProcess> {
    this.requireRunning(reference);
    this.requested.push(request);
    const process = { args: request.args, cwd: '/', user: { uid: 0, gid: 0 }, terminal: request.terminal };
    return { start: (start) => this.#start({ ...start, process }) };
  }

  async #start(request: ExecRequest): Promise<FakeProcess> {
    await this.gate;
    const { failure } = this;
    this.failure = undefined;
    if (failure !== undefined) throw failure;
    const process = new FakeProcess(request);
    this.processes.push(process);
    return process;
  }

  publish(containerId: string, action: string, attributes: Readonly<Record<string, string>> = {}): void {
    if (this.state === 'removed') throw notFound(`No such container: ${containerId}`);
    const { execID: _, ...rest } = attributes;
    this.published.push(Object.keys(rest).length === 0 ? action : `${action} ${JSON.stringify(rest)}`);
  }

  addExecs(source: (id: string) => readonly string[]): () => void {
    this.execs = source;
    return () => undefined;
  }

  onExit(listener: (id: string) => void): () => void {
    this.exitListeners.add(listener);
    return () => this.exitListeners.delete(listener);
  }
}

/** The plugin that offers them. */
export const fakeContainers = (containers: FakeContainers) =>
  definePlugin({
    id: 'containers',
    provides: [ContainerService, ContainerProcesses],
    configSchema: Type.Object({}),
    setup({ container }) {
      for (const point of [ContainerService, ContainerProcesses]) {
        container.registerValue(point.token, containers);
        container.provide<unknown>(point, point.token);
      }
    },
  });
