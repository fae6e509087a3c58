import type { Containers } from './containers.js';
import type { Engine } from './engine.js';
import type { Values } from './measurements.js';

/** What a scenario works with. */
export interface Subject {
  readonly engine: Engine;
  readonly containers: Containers;
  /** An image with the programs of busybox. */
  readonly image: string;
}

/** Something to do to an engine, and what it costs. It leaves nothing behind. */
export interface Scenario {
  readonly name: string;
  /** How often; each time for every engine in turn, so that what else the machine does meets all of them. */
  readonly rounds: number;
  run(subject: Subject): Promise<Values>;
}
