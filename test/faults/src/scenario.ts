import type { Answer } from './ask.js';
import type { World } from './world.js';

/** One call that changes something, on what was made for it before. */
export interface Scenario {
  readonly name: string;
  /** Acknowledged calls that make what the call is about. Everything is removed again by the suite. */
  prepare?(world: World): Promise<unknown>;
  /** The call. Undefined when it was not answered to the end. */
  act(world: World): Promise<Answer | undefined>;
  /**
   * States, beside the one before and the one after, that a call may leave that nobody acknowledged, because it is
   * several changes to its users. A predicate of the lines of {@link stateOf}.
   */
  mayLeave?(state: readonly string[]): boolean;
  /** Calls it again after the crash, where that is not `act`. */
  retry?(world: World): Promise<Answer | undefined>;
  /** What is wrong with what the call has made, once it has succeeded; empty when nothing. */
  verify?(world: World): Promise<readonly string[]>;
  /** Statuses of a second call besides success: somebody was first. */
  readonly alreadyDone?: readonly number[];
  /** The points to die at; all that are reached, but those of the logs, which the bystander reaches all the time. */
  readonly points?: RegExp;
}
