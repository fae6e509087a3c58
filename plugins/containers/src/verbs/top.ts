import type { ProcessTable, RuntimeDriver } from '@gantry/core/contracts';
import { conflict, notImplemented } from '@gantry/core/errors';
import { type Parts, runtimeOf } from '../parts.js';
import { isAlive } from '../transitions.js';
import { notRunning } from './kill.js';

type Listing = RuntimeDriver & Required<Pick<RuntimeDriver, 'processTable'>>;
const lists = (runtime: RuntimeDriver): runtime is Listing => runtime.capabilities.processTable === true;

/** Spec: GET /containers/(id)/top. `args` as on the command line of ps(1). */
export async function top(
  parts: Parts,
  reference: string,
  args: string,
  options: { readonly signal: AbortSignal },
): Promise<ProcessTable> {
  const container = parts.store.get(reference);
  const { record } = container;
  const { state, id } = record;
  if (state.status === 'restarting')
    throw conflict(`Container ${id} is restarting, wait until the container is running`);
  if (!isAlive(state)) throw notRunning(container);
  const runtime = runtimeOf(parts, record);
  if (!lists(runtime)) throw notImplemented('the runtime of this container cannot list its processes');
  const words = args.split(/\s+/).filter((word) => word !== '');
  const table = await runtime.processTable(id, words.length > 0 ? words : ['-ef'], options);
  parts.events.publish(record, 'top');
  return table;
}
