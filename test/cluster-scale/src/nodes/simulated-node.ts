import { join } from 'node:path';
import certificateAuthority from '@gantry/certificate-authority-local';
import cluster from '@gantry/cluster';
import { Kernel } from '@gantry/core';
import engineApi from '@gantry/engine-api';
import { clusterStore, log, network, volume } from '@gantry/memory-drivers';
import nodeAgent from '@gantry/node-agent';
import services from '@gantry/services';
import { ask } from '../manager/ask.js';
import { agentObserver } from './agent-observer.js';
import { certificateIn, managersIn } from './membership-files.js';
import { NodeContainers } from './node-containers.js';
import { simulatedHost } from './simulated-host.js';

const joinAttempts = 5;

interface NodeEvents {
  assigned(taskId: string, delay: number): void;
  keys?(ids: readonly string[]): void;
}

interface JoinRequest {
  readonly manager: string;
  readonly token: string;
}

/**
 * An engine of this process that joins a swarm as real ones do: the packages of membership and of the agent are the
 * product's, with their connections; only the containers are simulated.
 */
export class SimulatedNode {
  readonly containers = new NodeContainers();
  /** When the manager was last heard of, in milliseconds since the epoch. */
  heardAt = 0;
  readonly #kernel: Kernel;
  readonly #socket: string;

  /**
   * @param address of the loopback network, which no other node has.
   * @param more drivers and plugins.
   */
  constructor(
    private readonly directory: string,
    private readonly address: string,
    events: NodeEvents,
    more: NonNullable<NonNullable<ConstructorParameters<typeof Kernel>[0]>['use']> = [],
  ) {
    const heard = (): void => {
      this.heardAt = Date.now();
    };
    this.#socket = join(directory, 'engine.sock');
    this.#kernel = new Kernel({
      config: {
        dataRoot: join(directory, 'data'),
        execRoot: join(directory, 'run'),
        logLevel: 'error',
        defaults: { network: 'memory' },
        plugins: { 'engine-api': { hosts: [`unix://${this.#socket}`] } },
      },
      use: [
        ...[engineApi, clusterStore, certificateAuthority, volume, network, log],
        ...simulatedHost(this.containers),
        ...[cluster, services, nodeAgent, agentObserver({ ...events, heard }), ...more],
      ],
    });
  }

  start(): Promise<void> {
    return this.#kernel.start();
  }

  /**
   * Resolves when the node is ready. A leader that shares two cores with all nodes may be too slow for the limit of a join, which
   * is repeated then.
   */
  async join({ manager, token }: JoinRequest): Promise<void> {
    const body = { ListenAddr: this.address, AdvertiseAddr: this.address, RemoteAddrs: [manager], JoinToken: token };
    for (let attempt = 1; ; attempt++) {
      try {
        await ask(this.#socket, 'POST', '/swarm/join', body);
        return;
      } catch (error) {
        if (attempt === joinAttempts || !/did not answer/.test(String(error))) throw error;
      }
    }
  }

  /** Its certificate, PEM, as it is stored now. */
  certificate(): Promise<string> {
    return certificateIn(join(this.directory, 'data'));
  }

  /** How many managers it has heard of. */
  managers(): Promise<number> {
    return managersIn(join(this.directory, 'data'));
  }

  /** Resolves when it is part of the swarm no more; it stays listed there. */
  async leave(): Promise<void> {
    await ask(this.#socket, 'POST', '/swarm/leave?force=1');
  }

  stop(): Promise<void> {
    return this.#kernel.stop();
  }
}
