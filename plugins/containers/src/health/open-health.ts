import type { EngineEvents } from '@gantry/core/plugin';
import type { ContainerArea } from '../container-area.js';
import { directoryOf } from '../parts.js';
import { isAlive } from '../transitions.js';
import { HealthFiles } from './health-files.js';
import { HealthMonitors } from './health-monitors.js';

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
  const monitors = new HealthMonitors({ containers: area, events, files, clock, log });
  area.addHealth((id) => monitors.of(id));
  return monitors;
}
