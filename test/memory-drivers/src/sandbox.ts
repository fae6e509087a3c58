import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { open, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type Sandbox, type SandboxDriver, SandboxDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { conflict, invalidArgument, notFound, notImplemented } from '@gantry/core/errors';
import { Type } from '@sinclair/typebox';

/**
 * Sandboxes that isolate nothing: empty files in the state directory, which outlive the daemon and not a reboot.
 * Resolvers listen on the loopback interface of the host.
 */
class MemorySandboxes implements SandboxDriver {
  readonly host: Sandbox = { id: 'host', path: '/proc/self/ns/net' };

  constructor(private readonly directory: string) {}

  async create(id: string, { userNamespace }: Parameters<SandboxDriver['create']>[1] = {}): Promise<Sandbox> {
    if (userNamespace !== undefined) throw notImplemented('memory sandboxes have no user namespaces');
    if (!/^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/.test(id)) throw invalidArgument(`invalid sandbox id "${id}"`);
    const path = join(this.directory, id);
    try {
      await (await open(path, 'wx')).close();
    } catch (cause) {
      throw conflict(`sandbox ${id} exists`, { cause });
    }
    return { id, path };
  }

  async get(id: string): Promise<Sandbox | undefined> {
    return (await this.list()).includes(id) ? { id, path: join(this.directory, id) } : undefined;
  }

  list(): Promise<readonly string[]> {
    return readdir(this.directory);
  }

  async remove(id: string): Promise<void> {
    const sandbox = await this.get(id);
    if (sandbox !== undefined) await rm(sandbox.path, { force: true });
  }

  async openResolver(id: string): ReturnType<SandboxDriver['openResolver']> {
    if ((await this.get(id)) === undefined) throw notFound(`sandbox ${id} not found`);
    const udp = createSocket('udp4');
    const tcp = createServer();
    const listening = Promise.all([once(udp, 'listening'), once(tcp, 'listening')]);
    udp.bind(0, '127.0.0.1');
    tcp.listen(0, '127.0.0.1');
    await listening;
    return { udp, tcp };
  }
}

export const sandbox = defineDriver({
  id: 'memory',
  provides: SandboxDrivers,
  configSchema: Type.Object({}, { additionalProperties: false }),
  create: ({ dirs }) => new MemorySandboxes(dirs.state),
});
