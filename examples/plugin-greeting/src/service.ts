import { type ServicePoint, servicePoint } from '@gantry/core/plugin';

/** What other plugins may ask of this one; they list `Greetings` in their `requires`. */
export interface Greetings {
  /** @throws EngineError `invalid-argument` naming a name that is none. */
  greet(name: string): Greeting;
}

export interface Greeting {
  readonly text: string;
  /** Containers that have started since the daemon has. */
  readonly containers: number;
}

export const Greetings: ServicePoint<Greetings> = servicePoint<Greetings>('greetings');
