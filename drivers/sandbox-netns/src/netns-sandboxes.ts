import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sandbox, SandboxDriver } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import type { DriverLifecycle } from '@gantry/core/driver';
import { conflict, internal, invalidArgument, messageOf, notFound } from '@gantry/core/errors';
import { isErrno } from '@gantry/lib-linux/errors';
import { kernelNamespaces } from '@gantry/lib-linux/namespaces';
import { openResolver } from './open-resolver.js';
import { prepareNamespace } from './prepare-namespace.js';

/** One network namespace per sandbox, kept by a file of the sandbox's name. A reboot leaves the files empty. */
export class NetnsSandboxes implements SandboxDriver, DriverLifecycle {
  /** Whoever opens it finds the namespace of its own, which is the host's for every program the engine starts. */
  readonly host: Sandbox = { id: 'host', path: '/proc/self/ns/net' };
  readonly #directory: string;

  constructor(stateDirectory: string) {
    this.#directory = join(stateDirectory, 'netns');
  }

  /** Takes away what a crash in the middle of `create`, or a reboot, has left. */
  async start(): Promise<void> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    for (const id of await readdir(this.#directory)) {
      if (!kernelNamespaces.isNamespace(this.#path(id))) kernelNamespaces.removeNetwork(this.#path(id));
    }
  }

  async create(id: string): Promise<Sandbox> {
    if (!isId(id)) throw invalidArgument(`invalid sandbox id "${id}"`);
    const path = this.#path(id);
    try {
      kernelNamespaces.createNetwork(path);
    } catch (cause) {
      if (isErrno(cause, 'EEXIST')) throw conflict(`sandbox ${id} exists`, { cause });
      throw internal(`cannot make sandbox ${id}: ${messageOf(cause)}`, { cause });
    }
    crashPoint('sandbox.made');
    try {
      prepareNamespace(path);
    } catch (cause) {
      kernelNamespaces.removeNetwork(path);
      throw internal(`cannot prepare sandbox ${id}: ${messageOf(cause)}`, { cause });
    }
    return { id, path };
  }

  async get(id: string): Promise<Sandbox | undefined> {
    const path = this.#path(id);
    return isId(id) && kernelNamespaces.isNamespace(path) ? { id, path } : undefined;
  }

  async list(): Promise<readonly string[]> {
    const ids = await readdir(this.#directory);
    return ids.filter((id) => kernelNamespaces.isNamespace(this.#path(id)));
  }

  async remove(id: string): Promise<void> {
    if (isId(id)) kernelNamespaces.removeNetwork(this.#path(id));
  }

  async openResolver(id: string): ReturnType<SandboxDriver['openResolver']> {
    const sandbox = await this.get(id);
    if (sandbox === undefined) throw notFound(`sandbox ${id} not found`);
    return openResolver(sandbox.path);
  }

  #path(id: string): string {
    return join(this.#directory, id);
  }
}

/** Ids become names of files. */
const isId = (id: string): boolean => /^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/.test(id);
