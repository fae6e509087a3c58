import path from 'node:path';
import type { Kernel } from '@gantry/core';
import { EngineClient } from 'gantry-client';
import type { EngineCode } from './load-engine-code.js';
import { removeContents } from './remove-contents.js';

interface EngineParts {
  readonly kernel: Kernel;
  readonly code: EngineCode;
  readonly execRoot: string;
  /** Whether containers end with it. */
  readonly endsContainers: boolean;
  /** Of what was made for the engine: its directory, its control groups. */
  readonly release: () => Promise<void>;
}

/**
 * An engine within this program: a client of its own API, which no socket lies between. It keeps the program running
 * until it is closed; `await using` closes it at the end of the block.
 */
export class Engine extends EngineClient implements AsyncDisposable {
  /** The kernel, for its services, drivers and events. */
  readonly kernel: Kernel;
  readonly #parts: EngineParts;
  readonly #closers: (() => Promise<void>)[] = [];
  // Nothing else holds the event loop while a program awaits a container.
  readonly #alive = setInterval(() => undefined, 2 ** 30);
  #closed: Promise<void> | undefined;

  constructor(parts: EngineParts) {
    const { kernel, code } = parts;
    super({ connect: () => kernel.service(code.LocalConnections).connect() });
    this.kernel = kernel;
    this.#parts = parts;
  }

  /**
   * Listens at a Unix socket that only this user can open, for programs that speak the API. @returns its address, as
   * `DOCKER_HOST` has it.
   * @param socket default: one that goes with the engine.
   */
  async listen(socket = path.join(this.#parts.execRoot, 'engine.sock')): Promise<string> {
    this.#closers.push(await this.kernel.service(this.#parts.code.EngineApi).serveAt(path.resolve(socket)));
    return `unix://${path.resolve(socket)}`;
  }

  /**
   * Stops it. Containers end and are removed with their networks, unless they are to survive; then nothing of the engine
   * is left on the host but a directory that the program named. A second call waits.
   */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    const { kernel, endsContainers, release } = this.#parts;
    try {
      if (endsContainers) await removeContents(this);
    } finally {
      await Promise.all(this.#closers.map((close) => close()));
      await kernel.stop();
      await release();
      clearInterval(this.#alive);
    }
  }
}
