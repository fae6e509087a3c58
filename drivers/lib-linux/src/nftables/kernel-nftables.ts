import { closeSync } from 'node:fs';
import { LinuxError } from '../errors/linux-error.js';
import { library, type NativeFunction, once } from '../ffi/native.js';
import { kernelNamespaces } from '../namespaces/kernel-namespaces.js';
import { onLowDescriptor, reserveLowDescriptors } from './low-descriptor.js';
import type { Nftables, NftablesOptions, NftablesSession, NftCommands } from './nftables.js';
import { NftablesError } from './nftables-error.js';
import { openView } from './open-view.js';

const OUTPUT_HANDLE = 1 << 3;
const OUTPUT_JSON = 1 << 4;

const functions = once(() => {
  const load = () => {
    try {
      return library('libnftables.so.1');
    } catch (cause) {
      throw new LinuxError('ENOENT', 'dlopen', {
        path: 'libnftables.so.1',
        detail: 'install the package libnftables1 (Debian) or nftables',
        cause,
      });
    }
  };
  const libnftables = load();
  const declare = (definition: string): NativeFunction => libnftables.func(definition) as unknown as NativeFunction;
  return {
    create: declare('void *nft_ctx_new(uint32_t flags)'),
    free: declare('void nft_ctx_free(void *ctx)'),
    bufferOutput: declare('int nft_ctx_buffer_output(void *ctx)'),
    bufferError: declare('int nft_ctx_buffer_error(void *ctx)'),
    getOutput: declare('const char *nft_ctx_get_output_buffer(void *ctx)'),
    getError: declare('const char *nft_ctx_get_error_buffer(void *ctx)'),
    setOutputFlags: declare('void nft_ctx_output_set_flags(void *ctx, uint flags)'),
    run: declare('int nft_run_cmd_from_buffer(void *ctx, const char *buf)'),
    runBytes: declare('int nft_run_cmd_from_buffer(void *ctx, const void *buf)'),
  };
});

/**
 * A context of the library. Its socket belongs to the namespace it was created in; interface names are looked up in the
 * namespace of the thread, so commands for another namespace run with the thread in that one.
 */
class KernelNftablesSession implements NftablesSession {
  readonly #context: unknown;
  readonly #namespace: number | undefined;
  readonly #closeNamespace: () => void;
  /** The context must not be used by two threads at once. */
  #queue: Promise<unknown> = Promise.resolve();
  #running = false;
  /** Commands that are queued or running. */
  #queued = 0;
  #isOpen = true;

  constructor(namespace: number | undefined, closeNamespace: () => void) {
    this.#namespace = namespace;
    this.#closeNamespace = closeNamespace;
    const { create, free, bufferOutput, bufferError } = functions();
    this.#context = this.#there(() => onLowDescriptor(() => create(0), free));
    bufferOutput(this.#context);
    bufferError(this.#context);
  }

  run(commands: NftCommands): Promise<string> {
    if (!this.#isOpen) return Promise.reject(closed());
    const result = this.#queue.then(() =>
      this.#namespace === undefined ? this.#runOnPool(commands) : this.#runHere(commands),
    );
    this.#queued += 1;
    this.#queue = result
      .catch(() => undefined)
      .finally(() => {
        this.#queued -= 1;
      });
    return result;
  }

  runSync(commands: NftCommands): string {
    if (!this.#isOpen) throw closed();
    if (this.#running) throw new Error('nftables: commands of this session are running on another thread');
    return this.#runHere(commands);
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    if (this.#queued === 0) this.#free();
    else void this.#queue.then(() => this.#free());
  }

  #free(): void {
    functions().free(this.#context);
    reserveLowDescriptors();
    this.#closeNamespace();
  }

  #runHere(commands: NftCommands): string {
    const text = this.#prepare(commands);
    const status = this.#there(() => functions().run(this.#context, text));
    return this.#finish(status, text);
  }

  async #runOnPool(commands: NftCommands): Promise<string> {
    const text = this.#prepare(commands);
    const bytes = Buffer.from(`${text}\0`);
    this.#running = true;
    try {
      const status = await new Promise<unknown>((resolve, reject) => {
        functions().runBytes.async(this.#context, bytes, (error: unknown, result: unknown) => {
          if (error !== null && error !== undefined) reject(error);
          else resolve(result);
        });
      });
      return this.#finish(status, text);
    } finally {
      this.#running = false;
      bytes.fill(0);
    }
  }

  #prepare(commands: NftCommands): string {
    const isJson = typeof commands !== 'string';
    functions().setOutputFlags(this.#context, isJson ? OUTPUT_JSON | OUTPUT_HANDLE : OUTPUT_HANDLE);
    return isJson ? JSON.stringify({ nftables: commands }) : commands;
  }

  #finish(status: unknown, text: string): string {
    // Reading a buffer empties it.
    const output = functions().getOutput(this.#context);
    const reason = functions().getError(this.#context);
    if (status !== 0) throw new NftablesError(String(reason).trim() || `status ${String(status)}`, text);
    return typeof output === 'string' ? output : '';
  }

  #there<T>(action: () => T): T {
    return this.#namespace === undefined ? action() : kernelNamespaces.runInNetwork(this.#namespace, action);
  }
}

function closed(): LinuxError {
  return new LinuxError('EBADF', 'nftables', { detail: 'the session was closed' });
}

function open({ namespace }: NftablesOptions = {}): NftablesSession {
  if (typeof namespace !== 'string') return new KernelNftablesSession(namespace, () => undefined);
  const fd = kernelNamespaces.open(namespace);
  try {
    return new KernelNftablesSession(fd, () => closeSync(fd));
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

export const kernelNftables: Nftables = { open, openView };
