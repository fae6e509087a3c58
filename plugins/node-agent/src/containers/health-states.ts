import type { ContainerRecord } from '@gantry/containers/service';
import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { EngineEvents } from '@gantry/core/plugin';
import type { Health } from './container-facts.js';

const action = /^health_status: (healthy|unhealthy)$/;

/** The health of containers, as their probes have reported it since the engine's start. */
@injectable()
export class HealthStates {
  readonly #states = new Map<string, Health>();
  readonly #listeners = new Set<(containerId: string) => void>();

  constructor(@inject(EngineEvents) events: EngineEvents, @inject(Lifetime) lifetime: Lifetime) {
    lifetime.add(
      events.subscribe(({ action: name, actor, type }) => {
        if (type !== 'container') return;
        const [, state] = action.exec(name) ?? [];
        if (name === 'destroy') this.#states.delete(actor.id);
        if (state === undefined) return;
        this.#states.set(actor.id, state as Health);
        for (const listener of [...this.#listeners]) listener(actor.id);
      }),
    );
  }

  of({ config, id }: ContainerRecord): Health {
    const { Test: test = [] } = config.Healthcheck ?? {};
    if (test.length === 0 || test[0] === 'NONE') return 'none';
    return this.#states.get(id) ?? 'starting';
  }

  /** @returns removes the listener. */
  onChange(listener: (containerId: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
