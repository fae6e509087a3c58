import { ClusterInfo } from '@gantry/cluster/service';
import { type LoadBalancerDriver, LoadBalancerDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable, Logger } from '@gantry/core/driver';

/** Finds out once whether tasks of this node can see the addresses of clients of published ports, and reports it. */
@injectable()
export class ClientAddressCheck {
  #obstacle: Promise<string | undefined> | undefined;
  #isReported = false;

  constructor(
    @inject(LoadBalancerDrivers.token) private readonly balancers: DriverSet<LoadBalancerDriver>,
    @inject(ClusterInfo.token) private readonly info: Pick<ClusterInfo, 'setClientAddresses'>,
    @inject(Logger) private readonly log: Logger,
  ) {}

  async areKept(): Promise<boolean> {
    return (await this.#find()) === undefined;
  }

  /** To the node's record, `info` and the log, once. */
  async report(): Promise<void> {
    if (this.#isReported) return;
    this.#isReported = true;
    const reason = await this.#find();
    this.info.setClientAddresses(reason === undefined ? { kept: true } : { kept: false, reason });
    if (reason === undefined) return;
    const facts = { event: 'agent.client-addresses-masqueraded', reason };
    this.log.warn(facts, 'tasks on this node do not see the addresses of clients of published ports');
  }

  #find(): Promise<string | undefined> {
    this.#obstacle ??= this.#ask();
    return this.#obstacle;
  }

  async #ask(): Promise<string | undefined> {
    const balancer = this.balancers.get();
    if (balancer.clientAddressObstacle === undefined) return 'the driver of load balancers cannot keep addresses';
    return balancer.clientAddressObstacle();
  }
}
