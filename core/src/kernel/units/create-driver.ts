import type { Static, TSchema } from '@sinclair/typebox';
import type { DriverContext, DriverDefinition, DriverLifecycle } from '../definitions/driver.js';
import { rootContainer } from '../injection/package-container.js';
import { openContainer } from './open-container.js';

/** What a driver is given where no kernel runs: in a worker thread, in a test. */
export type DriverEnvironment<C> = Omit<DriverContext<C>, 'container'> & { readonly stopSignal?: AbortSignal };

/** Makes a driver as the kernel does, without starting it: injects what its definition requires from `services`. */
export async function createDriver<T, S extends TSchema>(
  definition: DriverDefinition<T, S>,
  environment: DriverEnvironment<Static<S>>,
): Promise<T & DriverLifecycle<Static<S>>> {
  const { stopSignal = new AbortController().signal, ...context } = environment;
  const facts = { ...context, stopSignal };
  const container = openContainer(rootContainer(), facts, definition.requires ?? [], context.services);
  const created = await definition.create({ ...context, container });
  return typeof created === 'function' ? container.resolve(created) : created;
}
