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
import { NodeContainers } from './node-containers.js';
import { simulatedHost } from './simulated-host.js';

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

  /** @param address of the loopback network, which no other node has. */
  constructor(
    directory: string,
    private readonly address: string,
    assigned: (taskId: string, delay: number) => void,
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
        plugins: { 'engine-api': { hosts: [`unix://${this.#socket}`] } },
      },
      use: [
        ...[engineApi, clusterStore, certificateAuthority, volume, network, log],
        ...simulatedHost(this.containers),
        ...[cluster, services, nodeAgent, agentObserver({ assigned, heard })],
      ],
    });
  }

  start(): Promise<void> {
    return this.#kernel.start();
  }

  /** Resolves when the node is ready. */
  async join({ manager, token }: JoinRequest): Promise<void> {
    const body = { ListenAddr: this.address, AdvertiseAddr: this.address, RemoteAddrs: [manager], JoinToken: token };
    await ask(this.#socket, 'POST', '/swarm/join', body);
  }

  stop(): Promise<void> {
    return this.#kernel.stop();
  }
}
