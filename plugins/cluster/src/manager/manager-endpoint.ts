import { setTimeout as delay } from 'node:timers/promises';
import { inject, injectable, Logger, Mutex } from '@gantry/core/driver';
import { unavailable } from '@gantry/core/errors';
import { NodeListener } from '@gantry/lib-cluster-protocol';
import { IdentityFile } from '../certificates/identity-file.js';
import { ManagerIdentity } from '../certificates/manager-identity.js';
import { AnsweredPaths } from '../connections/answered-paths.js';
import { hostOf } from '../membership/node-addresses.js';
import type { OpenSession } from '../sessions/manager-sessions.js';

const retryDelay = 2_000;

/** Where a manager is reached by other nodes. */
@injectable()
export class ManagerEndpoint {
  readonly #mutex = new Mutex();
  #open: { readonly listen: string; readonly listener: NodeListener } | undefined;
  #following: { readonly listen: string; readonly end: AbortController } | undefined;

  constructor(
    @inject(IdentityFile) private readonly identities: IdentityFile,
    @inject(ManagerIdentity) private readonly identity: ManagerIdentity,
    @inject(AnsweredPaths) private readonly paths: AnsweredPaths,
    @inject(Logger) private readonly log: Logger,
  ) {
    identities.onChange(() => this.#renew());
  }

  /**
   * Listens at an `address:port`. Resolves when it does already. Rejects `unavailable` for a taken address, and without a
   * certificate of this node.
   */
  open(listen: string): Promise<void> {
    return this.#mutex.run(async () => {
      if (this.#open?.listen === listen) return;
      await this.#close();
      const identity = this.identities.present;
      if (identity === undefined) throw unavailable('this node has no certificate yet');
      const port = Number(listen.slice(listen.lastIndexOf(':') + 1));
      const { log, paths } = this;
      const listener = await NodeListener.open({ host: hostOf(listen), port, identity, routes: paths, log });
      this.#open = { listen, listener };
    });
  }

  /** As `open`, with a certificate that the leader issues itself. */
  async openFirst(session: OpenSession, listen: string): Promise<void> {
    await this.identity.present(session);
    await this.open(listen);
  }

  /** Listens at an address as soon as it is free, or nowhere, from now on. */
  follow(listen: string | undefined): void {
    if (listen === this.#following?.listen) return;
    this.#following?.end.abort();
    this.#following = listen === undefined ? undefined : { listen, end: new AbortController() };
    if (this.#following === undefined) void this.close();
    else void this.#openEventually(this.#following.listen, this.#following.end.signal);
  }

  close(): Promise<void> {
    return this.#mutex.run(() => this.#close());
  }

  async #openEventually(listen: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        if (this.identities.present !== undefined) return await this.open(listen);
      } catch (err) {
        this.log.error({ event: 'swarm.not-listening', err }, 'failed to listen for other nodes; retrying');
      }
      await delay(retryDelay, undefined, { signal, ref: false }).catch(() => undefined); // aborted: the loop ends
    }
  }

  /** For the connections from now on. */
  #renew(): void {
    const { present } = this.identities;
    if (present !== undefined && this.#open !== undefined) this.#open.listener.identity = present;
  }

  async #close(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    await open?.listener.close();
  }
}
