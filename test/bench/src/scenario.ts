import type { Containers } from './containers.js';
import type { Engine } from './engine.js';
import type { Values } from './measurements.js';

/** An engine and the image to measure it with. */
export interface Subject {
  readonly engine: Engine;
  readonly containers: Containers;
  /** An image with the programs of busybox. */
  readonly image: string;
}

/** A workload and its costs. It removes whatever it creates. */
export interface Scenario {
  readonly name: string;
  /** Repetitions. Each round runs on every engine in turn, so that other load affects all of them. */
  readonly rounds: number;
  run(subject: Subject): Promise<Values>;
}
