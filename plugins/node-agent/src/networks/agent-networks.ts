import {
  type AnswerPath,
  type LoadBalancerDriver,
  LoadBalancerDrivers,
  type SandboxDriver,
  SandboxDrivers,
} from '@gantry/core/contracts';
import { abortable, type DriverSet, inject, injectable, KeyedMutex, Logger } from '@gantry/core/driver';
import { unavailable } from '@gantry/core/errors';
import {
  EndpointService,
  type NetworkNode,
  type SwarmAttachment,
  type SwarmNetwork,
  type SwarmNetworkState,
  type SwarmNode,
} from '@gantry/networks/service';
import { type AgentSession, meshSandbox } from '@gantry/services/service';
import { ClientAddressCheck } from '../mesh/client-address-check.js';

/** Milliseconds for the leader's answer to a client that inspects a network. */
const nodesTimeout = 2_000;

/** This node's part of the networks of the swarm, as the session with a manager has it. */
@injectable()
export class AgentNetworks implements SwarmNode {
  #session: AgentSession | undefined;
  /** As a session has named it last. */
  #ingress: SwarmNetwork | undefined;
  readonly #states = new Map<string, SwarmNetworkState | undefined>();
  readonly #mutex = new KeyedMutex();

  constructor(
    @inject(LoadBalancerDrivers.token) private readonly balancers: DriverSet<LoadBalancerDriver>,
    @inject(SandboxDrivers.token) private readonly sandboxes: DriverSet<SandboxDriver>,
    @inject(EndpointService.token) private readonly endpoints: Pick<EndpointService, 'endpointsOf'>,
    @inject(ClientAddressCheck) private readonly clientAddresses: ClientAddressCheck,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** From now on networks are as the session has them; undefined: as they were last. */
  follow(session: AgentSession | undefined): void {
    this.#session = session;
    if (session !== undefined) this.invalidate();
  }

  /** Something in the swarm has changed. */
  invalidate(): void {
    this.#states.clear();
    this.#followIngress();
  }

  stateOf(networkId: string): SwarmNetworkState | undefined {
    if (!this.#states.has(networkId)) this.#states.set(networkId, this.#session?.networkState(networkId));
    return this.#states.get(networkId);
  }

  async nodesOn(networkId: string): Promise<readonly NetworkNode[] | undefined> {
    try {
      return await abortable(this.#session?.nodesOn(networkId), AbortSignal.timeout(nodesTimeout));
    } catch (err) {
      const facts = { event: 'agent.nodes-unknown', networkId, err };
      this.log.warn(facts, 'failed to ask the leader for the nodes of a network, which is shown without them');
      return undefined;
    }
  }

  networks(): readonly SwarmNetwork[] {
    return this.#session?.networks() ?? [];
  }

  async attach(request: SwarmAttachment): Promise<string> {
    if (this.#session === undefined) {
      throw unavailable(`network ${request.networkId}: this engine has no connection to its swarm`);
    }
    return this.#session.attach(request);
  }

  async detach(networkId: string, containerId: string): Promise<void> {
    try {
      await this.#session?.detach(networkId, containerId);
    } catch (err) {
      const facts = { event: 'agent.detach-failed', networkId, container: containerId, err };
      this.log.warn(facts, 'failed to release an address; the next session releases it');
    }
  }

  async joined(containerId: string, networkIds: readonly string[]): Promise<void> {
    this.#followIngress();
    if (networkIds.some((id) => this.stateOf(id) !== undefined)) await this.balance(containerId);
  }

  #followIngress(): void {
    this.#ingress = this.#session?.traffic.ingress()?.network ?? this.#ingress;
  }

  /** Says whether tasks of this node see the addresses of clients of published ports. */
  async reportClientAddresses(): Promise<void> {
    await this.clientAddresses.report();
  }

  /** By which meshes a container is reached that is behind published ports; undefined for one that is not. */
  answersOf(containerId: string): AnswerPath | undefined {
    const ingress = this.#ingress;
    if (ingress === undefined || containerId === meshSandbox.id) return undefined;
    const own = this.endpoints.endpointsOf(containerId).find(({ networkId }) => networkId === ingress.id);
    const state = this.stateOf(ingress.id);
    if (own === undefined || state === undefined) return undefined;
    const meshes = new Set(state.names.get(meshSandbox.name));
    return {
      address: own.ipv4Address,
      subnets: ingress.pools.map(({ subnet }) => subnet).filter((subnet) => !subnet.includes(':')),
      meshes: state.peers
        .filter(({ address }) => meshes.has(address))
        .map(({ address, macAddress }) => ({ address, macAddress }))
        .sort((one, other) => (one.address < other.address ? -1 : 1)),
    };
  }

  /**
   * Sets the virtual addresses that a container can reach, and the meshes that it answers through. Never rejects: a failure
   * is logged.
   */
  async balance(containerId: string): Promise<void> {
    await this.#mutex.run(containerId, async () => {
      const networkIds = this.endpoints.endpointsOf(containerId).map(({ networkId }) => networkId);
      const services = networkIds.flatMap((id) => this.stateOf(id)?.services ?? []);
      try {
        const sandbox = await this.sandboxes.get().get(containerId);
        if (sandbox === undefined) return;
        const balancer = this.balancers.get();
        await balancer.balance(sandbox, services);
        const answers = this.answersOf(containerId);
        if (answers !== undefined && (await this.clientAddresses.areKept())) {
          await balancer.answerThrough?.(sandbox, answers);
        }
      } catch (err) {
        const facts = { event: 'agent.not-balanced', container: containerId, err };
        this.log.error(facts, 'failed to set the virtual addresses of a container');
      }
    });
  }
}
