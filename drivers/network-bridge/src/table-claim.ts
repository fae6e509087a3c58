import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { Config, inject, injectable, Lifetime, PackageDirectories } from '@gantry/core/driver';
import { conflict } from '@gantry/core/errors';
import { isErrno } from '@gantry/lib-linux/errors';
import type { BridgeConfig } from './config.js';

/** How long another engine has to say which one it is, in milliseconds. */
const answerTimeout = 5000;

/**
 * Reserves the table's name among the running engines of a network namespace. Two with one name would replace each
 * other's rules and remove each other's links as orphans. The name is an abstract socket: like rules and links it belongs
 * to the network namespace, and the kernel frees it when the process exits.
 */
@injectable()
export class TableClaim {
  constructor(
    @inject(Config) private readonly config: Pick<BridgeConfig, 'table'>,
    @inject(PackageDirectories) private readonly directories: Pick<PackageDirectories, 'root'>,
    @inject(Lifetime) private readonly lifetime: Lifetime,
  ) {}

  /** Rejects EngineError `conflict` naming the configuration key while another engine uses the table. */
  async acquire(): Promise<void> {
    const server = createServer((client) => {
      client.on('error', () => undefined); // the client is gone before it has read the answer
      client.end(this.directories.root);
    });
    try {
      server.listen(this.#name);
      await once(server, 'listening');
    } catch (cause) {
      if (!isErrno(cause, 'EADDRINUSE')) throw cause;
      // An engine with the same data is this one, whose predecessor is still exiting.
      if ((await this.#holder()) === this.directories.root) return;
      const { table } = this.config;
      throw conflict(
        `another engine on this host uses the table "${table}"; set config.drivers["network/bridge"].table to a name` +
          ' that no other engine uses',
        { cause },
      );
    }
    server.unref();
    this.lifetime.add(() => void server.close());
  }

  get #name(): string {
    return `\0gantry/network-bridge/${this.config.table}`;
  }

  /** The data directory of the engine that uses the table; undefined when it does not answer. */
  async #holder(): Promise<string | undefined> {
    const socket = connect(this.#name);
    const timer = setTimeout(() => socket.destroy(), answerTimeout);
    try {
      return await text(socket);
    } catch {
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }
}
