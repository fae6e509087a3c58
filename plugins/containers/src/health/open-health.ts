import { availableParallelism } from 'node:os';
import type { EngineEvents } from '@gantry/core/plugin';
import type { ContainerArea } from '../areas/container-area.js';
import { directoryOf } from '../parts.js';
import { isAlive } from '../transitions.js';
import { Admission } from './admission.js';
import { HealthFiles } from './health-files.js';
import { HealthMonitors } from './health-monitors.js';

/** How long a start counts against the others, in milliseconds: it takes some tens, when nothing is wrong. */
const patience = 500;

/** Puts health checks together; what they find is shown where containers are. */
export function openHealth(area: ContainerArea, events: EngineEvents): HealthMonitors {
  const { parts } = area;
  const { clock, log, store } = parts;
  const files = new HealthFiles({
    directoryOf: (id) => directoryOf(parts, id),
    startedAt: (id) => {
      const state = store.byId(id)?.record.state;
      return state !== undefined && isAlive(state) ? state.startedAt : undefined;
    },
    log,
  });
  // More at a time than keep the processors busy end no sooner, and keep requests waiting.
  const starts = new Admission(clock, { places: 2 * availableParallelism(), patience });
  const monitors = new HealthMonitors({ containers: area, events, files, clock, starts, log });
  area.addHealth((id) => monitors.of(id));
  return monitors;
}
