import {
  type LoadBalancerDriver,
  LoadBalancerDrivers,
  type SandboxDriver,
  SandboxDrivers,
} from '@gantry/core/contracts';
import { Clock, type DriverSet, inject, injectable, Lifetime, Logger, Mutex } from '@gantry/core/driver';
import { SandboxService } from '@gantry/networks/service';
import { type AgentSession, type IngressState, meshSandbox } from '@gantry/services/service';

/** Milliseconds after which a failed step is repeated: a port may have been taken, or no address free. */
const retryDelay = 2_000;

/**
 * The published ports of the cluster on this host: a sandbox on the ingress network, through which the load balancer leads
 * connections to the tasks of all nodes. It exists while any service publishes a port.
 */
@injectable()
export class RoutingMesh {
  readonly #mutex = new Mutex();
  /** The network that the sandbox is on; undefined without one. */
  #networkId: string | undefined;
  #cancelRetry: () => void = () => undefined;
  /** Which ports could not be published, as text, so that only changes are logged. */
  #taken = '';

  constructor(
    @inject(SandboxService.token) private readonly networkSandboxes: Pick<SandboxService, 'close' | 'open'>,
    @inject(SandboxDrivers.token) private readonly sandboxes: DriverSet<SandboxDriver>,
    @inject(LoadBalancerDrivers.token) private readonly balancers: DriverSet<LoadBalancerDriver>,
    @inject(Clock.token) private readonly clock: Clock,
    @inject(Logger) private readonly log: Logger,
    @inject(Lifetime) lifetime: Lifetime,
  ) {
    lifetime.add(() => this.close());
  }

  /** Resolves when the ports are as the session has them. Never rejects: a failure is logged, and repeated. */
  async update(session: AgentSession): Promise<void> {
    await this.#mutex.run(async () => {
      this.#cancelRetry();
      if (session.signal.aborted) return;
      try {
        const isComplete = await this.#follow(session.traffic.ingress());
        if (isComplete) return;
      } catch (err) {
        this.log.error({ event: 'agent.mesh-failed', err }, 'failed to publish the ports of services');
      }
      this.#cancelRetry = this.clock.after(retryDelay, () => void this.update(session));
    });
  }

  /** Removes all that this host has of it. Never rejects: a failure is logged. */
  async close(): Promise<void> {
    await this.#mutex.run(async () => {
      this.#cancelRetry();
      try {
        await this.#follow(undefined);
      } catch (err) {
        this.log.error({ event: 'agent.mesh-not-removed', err }, 'failed to remove the published ports of services');
      }
    });
  }

  /** @returns whether all ports are published. */
  async #follow(ingress: IngressState | undefined): Promise<boolean> {
    if (ingress?.network.id !== this.#networkId) await this.#remove();
    if (ingress === undefined) return true;
    if (this.#networkId === undefined) await this.#create(ingress.network.id);
    const sandbox = await this.sandboxes.get().get(meshSandbox.id);
    const taken = await this.balancers.get().publish(sandbox, ingress.ports);
    this.#report(taken.map(({ port, protocol }) => `${port}/${protocol}`));
    return taken.length === 0;
  }

  async #create(networkId: string): Promise<void> {
    await this.networkSandboxes.open({
      container: { ...meshSandbox, hostname: meshSandbox.name, domainname: '' },
      attachments: [{ networkId, aliases: [], links: {}, ports: [] }],
      dns: { nameservers: [], search: [], options: [] },
      isMesh: true,
    });
    this.#networkId = networkId;
  }

  async #remove(): Promise<void> {
    if (this.#networkId === undefined) return;
    await this.balancers.get().publish(undefined, []);
    await this.networkSandboxes.close(meshSandbox.id);
    this.#networkId = undefined;
  }

  #report(taken: readonly string[]): void {
    const text = taken.join(', ');
    if (text !== this.#taken && text !== '') {
      const facts = { event: 'agent.port-taken', ports: taken };
      this.log.warn(facts, 'ports of services are bound by another program on this host; retrying');
    }
    this.#taken = text;
  }
}
