import type { Roles } from '@gantry/test-nodes';
import type { Random } from '../soak/random.js';
import type { ChaosSwarm } from './chaos-swarm.js';

interface FaultContext {
  readonly swarm: ChaosSwarm;
  /** Of the nodes before the fault. */
  readonly roles: Roles;
  readonly random: Random;
  /** Records what is wrong. */
  violate(what: string): void;
}

/** Ends a fault. Resolves when everything may work again, and rejects when that is refused. */
export type EndOfFault = () => Promise<void>;

/** Makes a fault, and resolves once it has begun. */
export type Fault = (context: FaultContext) => Promise<EndOfFault>;
