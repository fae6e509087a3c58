import type { Answer } from './ask.js';
import type { Victim } from './victims.js';
import type { World } from './world.js';

/** One call that changes state, after its preparation. */
export interface Scenario {
  readonly name: string;
  /** Acknowledged calls that prepare the state. The suite removes everything afterwards. */
  prepare?(world: World): Promise<unknown>;
  /** The call. Undefined without a complete answer. */
  act(world: World): Promise<Answer | undefined>;
  /**
   * States that an unacknowledged call may leave besides those before and after it, when it consists of several changes.
   * A predicate on the lines of {@link stateOf}.
   */
  mayLeave?(state: readonly string[]): boolean;
  /** The repetition after the crash, where it is not `act`. */
  retry?(world: World): Promise<Answer | undefined>;
  /** Violations in the result of a successful call. */
  verify?(world: World): Promise<readonly string[]>;
  /** Statuses of a repeated call besides success. */
  readonly alreadyDone?: readonly number[];
  /** The processes that may die; default: the daemon. The others have to be there when the call begins. */
  readonly victims?: readonly Victim[];
  /** No other scenario of this kind runs beside it: a host has one port for swarms and one for their tunnels. */
  readonly isExclusive?: boolean;
  /** The points to die at; default: all that are reached, except those of logs, which the bystander reaches. */
  readonly points?: RegExp;
}
