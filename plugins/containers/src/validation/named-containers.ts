import { EngineError, invalidArgument } from '@gantry/core/errors';
import type { ContainerLookup } from '../container-lookup.js';

/** Whether an error of `namedContainers` says that there is no such container. */
export const isAbsentContainer = (error: unknown): boolean =>
  EngineError.is(error) && EngineError.is(error.cause) && error.cause.kind === 'not-found';

/**
 * Containers as a configuration names them. One that is not there is a fault of the configuration: clients take "not
 * found" at create for a missing image, which they then pull.
 */
export const namedContainers = (containers: ContainerLookup): ContainerLookup => ({
  get: (reference) => {
    try {
      return containers.get(reference);
    } catch (cause) {
      if (EngineError.is(cause) && cause.kind === 'not-found') throw invalidArgument(cause.message, { cause });
      throw cause;
    }
  },
});
