import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sandbox, SandboxDriver } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import { type DriverLifecycle, inject, injectable, PackageDirectories } from '@gantry/core/driver';
import { conflict, internal, invalidArgument, messageOf, notFound } from '@gantry/core/errors';
import { isErrno } from '@gantry/lib-linux/errors';
import { Namespaces } from '@gantry/lib-linux/namespaces';
import { NamespaceSetup } from './namespace-setup.js';
import { OwnedNetwork } from './owned-network.js';
import { ResolverSockets } from './resolver-sockets.js';

/**
 * One network namespace per sandbox, bound to a file of the sandbox's name, and so is its user namespace, if any. After a
 * reboot the files are empty.
 */
@injectable()
export class NetnsSandboxes implements SandboxDriver, DriverLifecycle {
  /** Resolves to the opening process's own namespace, which is the host's for every program the engine starts. */
  readonly host: Sandbox = { id: 'host', path: '/proc/self/ns/net' };
  readonly #directory: string;
  readonly #userDirectory: string;

  constructor(
    @inject(PackageDirectories) { state }: PackageDirectories,
    @inject(Namespaces.token) private readonly namespaces: Namespaces,
    @inject(NamespaceSetup) private readonly setup: NamespaceSetup,
    @inject(ResolverSockets) private readonly resolverSockets: ResolverSockets,
    @inject(OwnedNetwork) private readonly ownedNetwork: OwnedNetwork,
  ) {
    this.#directory = join(state, 'netns');
    this.#userDirectory = join(state, 'userns');
  }

  /** Removes the files that a crash during `create`, or a reboot, has left. */
  async start(): Promise<void> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    for (const id of await readdir(this.#directory)) {
      if (!this.namespaces.isNamespace(this.#path(id))) this.namespaces.removeNetwork(this.#path(id));
    }
    await mkdir(this.#userDirectory, { recursive: true, mode: 0o700 });
    for (const id of await readdir(this.#userDirectory)) {
      if (!this.namespaces.isNamespace(this.#path(id))) this.namespaces.removeNetwork(this.#userPath(id));
    }
  }

  async create(id: string, { userNamespace }: Parameters<SandboxDriver['create']>[1] = {}): Promise<Sandbox> {
    if (!isId(id)) throw invalidArgument(`invalid sandbox id "${id}"`);
    const path = this.#path(id);
    try {
      if (userNamespace === undefined) this.namespaces.createNetwork(path);
      else await this.ownedNetwork.create({ network: path, user: this.#userPath(id) }, userNamespace);
    } catch (cause) {
      if (isErrno(cause, 'EEXIST')) throw conflict(`sandbox ${id} exists`, { cause });
      throw internal(`cannot create sandbox ${id}: ${messageOf(cause)}`, { cause });
    }
    crashPoint('sandbox.made');
    try {
      this.setup.setUp(path);
    } catch (cause) {
      await this.remove(id);
      throw internal(`cannot prepare sandbox ${id}: ${messageOf(cause)}`, { cause });
    }
    return this.#sandbox(id);
  }

  async get(id: string): Promise<Sandbox | undefined> {
    return isId(id) && this.namespaces.isNamespace(this.#path(id)) ? this.#sandbox(id) : undefined;
  }

  async list(): Promise<readonly string[]> {
    const ids = await readdir(this.#directory);
    return ids.filter((id) => this.namespaces.isNamespace(this.#path(id)));
  }

  async remove(id: string): Promise<void> {
    if (!isId(id)) return;
    this.namespaces.removeNetwork(this.#path(id));
    this.namespaces.removeNetwork(this.#userPath(id));
  }

  async openResolver(id: string): ReturnType<SandboxDriver['openResolver']> {
    const sandbox = await this.get(id);
    if (sandbox === undefined) throw notFound(`sandbox ${id} not found`);
    return this.resolverSockets.open(sandbox.path);
  }

  #sandbox(id: string): Sandbox {
    const userNamespace = this.#userPath(id);
    return {
      id,
      path: this.#path(id),
      ...(this.namespaces.isNamespace(userNamespace) && { userNamespace }),
    };
  }

  #path(id: string): string {
    return join(this.#directory, id);
  }

  #userPath(id: string): string {
    return join(this.#userDirectory, id);
  }
}

/** Ids are used as file names. */
const isId = (id: string): boolean => /^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/.test(id);
