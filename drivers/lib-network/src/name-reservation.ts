import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { inject, injectable, Lifetime, Logger, PackageDirectories } from '@gantry/core/driver';
import { conflict } from '@gantry/core/errors';
import { isErrno } from '@gantry/lib-linux/errors';
import { Sockets } from '@gantry/lib-linux/sockets';

/** How long another engine has to say which one it is, in milliseconds. */
const answerTimeout = 5000;

/** A configured name by which a driver recognizes what it has made on the host. */
interface OwnName {
  /** As configurations name it, such as `network/bridge`. */
  readonly driver: string;
  /** The key in its section of the configuration. */
  readonly key: string;
  readonly value: string;
}

/**
 * Reserves a driver's own name among the running engines of a network namespace. Two with one name would remove each
 * other's links and rules as orphans. The reservation is an abstract socket: like rules and links it belongs to the
 * network namespace, and the kernel frees it when the process exits. Engines under different Node executables do not see
 * each other.
 */
@injectable()
export class NameReservation {
  constructor(
    @inject(PackageDirectories) private readonly directories: Pick<PackageDirectories, 'root'>,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(Logger) private readonly log: Logger,
    @inject(Sockets.token) private readonly sockets: Pick<Sockets, 'abstractListener'>,
  ) {}

  /** Rejects EngineError `conflict` naming the configuration key while another engine uses the name. */
  async acquire({ driver, key, value }: OwnName): Promise<void> {
    const name = `gantry/${driver.replace('/', '-')}/${value}`;
    const server = createServer((client) => {
      client.on('error', () => undefined); // the client is gone before it has read the answer
      client.end(this.directories.root);
    });
    try {
      server.listen(`\0${name}`);
      await once(server, 'listening');
      server.on('error', () => undefined); // of one connection that could not be accepted; the name is held all the same
    } catch (cause) {
      if (!isErrno(cause, 'EADDRINUSE')) throw cause;
      if (!(await this.#isHeldByEngine(name))) {
        const facts = { event: 'name.not-reserved', [key]: value };
        this.log.warn(facts, `a program that is no engine holds the name that reserves the ${key}`);
        return;
      }
      // An engine with the same data is this one, whose predecessor is still exiting.
      if ((await holderOf(name)) === this.directories.root) return;
      throw conflict(
        `another engine on this host uses the ${key} "${value}"; set config.drivers["${driver}"].${key}` +
          ' to a name that no other engine uses',
        { cause },
      );
    }
    server.unref();
    this.lifetime.add(() => void server.close());
  }

  /**
   * Any user of the host may bind the name, and so may containers in its network namespace: that must not keep the engine
   * from starting. An engine runs as the same user, and in this process's executable, which containers cannot run.
   */
  async #isHeldByEngine(name: string): Promise<boolean> {
    const holder = this.sockets.abstractListener(name);
    if (holder === undefined || holder.uid !== process.geteuid?.()) return false;
    try {
      const [own, other] = await Promise.all([stat('/proc/self/exe'), stat(`/proc/${holder.pid}/exe`)]);
      return own.dev === other.dev && own.ino === other.ino;
    } catch {
      return false; // it has exited, or is in another process namespace
    }
  }
}

/** The data directory of the engine that holds a name; undefined when it does not answer. */
async function holderOf(name: string): Promise<string | undefined> {
  const socket = connect(`\0${name}`);
  const timer = setTimeout(() => socket.destroy(), answerTimeout);
  try {
    return await text(socket);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
