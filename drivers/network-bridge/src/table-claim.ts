import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { Config, inject, injectable, Lifetime, Logger, PackageDirectories } from '@gantry/core/driver';
import { conflict } from '@gantry/core/errors';
import { isErrno } from '@gantry/lib-linux/errors';
import { Sockets } from '@gantry/lib-linux/sockets';
import type { BridgeConfig } from './config.js';

/** How long another engine has to say which one it is, in milliseconds. */
const answerTimeout = 5000;

/**
 * Reserves the table's name among the running engines of a network namespace. Two with one name would replace each
 * other's rules and remove each other's links as orphans. The name is an abstract socket: like rules and links it belongs
 * to the network namespace, and the kernel frees it when the process exits. Engines under different Node executables do
 * not see each other.
 */
@injectable()
export class TableClaim {
  constructor(
    @inject(Config) private readonly config: Pick<BridgeConfig, 'table'>,
    @inject(PackageDirectories) private readonly directories: Pick<PackageDirectories, 'root'>,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(Logger) private readonly log: Logger,
    @inject(Sockets.token) private readonly sockets: Pick<Sockets, 'abstractListener'>,
  ) {}

  /** Rejects EngineError `conflict` naming the configuration key while another engine uses the table. */
  async acquire(): Promise<void> {
    const server = createServer((client) => {
      client.on('error', () => undefined); // the client is gone before it has read the answer
      client.end(this.directories.root);
    });
    try {
      server.listen(`\0${this.#name}`);
      await once(server, 'listening');
    } catch (cause) {
      if (!isErrno(cause, 'EADDRINUSE')) throw cause;
      if (!(await this.#isHeldByEngine())) {
        const { table } = this.config;
        const event = 'table.not-reserved';
        this.log.warn({ event, table }, 'a program that is no engine holds the name that reserves the table');
        return;
      }
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
    return `gantry/network-bridge/${this.config.table}`;
  }

  /**
   * Any user of the host may bind the name, and so may containers in its network namespace: that must not keep the engine
   * from starting. An engine runs as the same user, and in this process's executable, which containers cannot run.
   */
  async #isHeldByEngine(): Promise<boolean> {
    const holder = this.sockets.abstractListener(this.#name);
    if (holder === undefined || holder.uid !== process.geteuid?.()) return false;
    try {
      const [own, other] = await Promise.all([stat('/proc/self/exe'), stat(`/proc/${holder.pid}/exe`)]);
      return own.dev === other.dev && own.ino === other.ino;
    } catch {
      return false; // it has exited, or is in another process namespace
    }
  }

  /** The data directory of the engine that uses the table; undefined when it does not answer. */
  async #holder(): Promise<string | undefined> {
    const socket = connect(`\0${this.#name}`);
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
