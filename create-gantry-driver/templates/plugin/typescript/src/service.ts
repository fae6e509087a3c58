import { type ServicePoint, servicePoint } from '@gantry/core/plugin';

/** What other plugins may ask of this one; they list `__Name__` in their `requires`. */
export interface __Name__ {
  /** Containers that have started since the daemon has, or since the last reset. */
  starts(): number;
  reset(): void;
}

export const __Name__: ServicePoint<__Name__> = servicePoint<__Name__>('__id__');
