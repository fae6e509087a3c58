import { EngineError } from '../../errors/engine-error.js';
import type { DriverPoint } from '../points/driver-point.js';

/** @throws EngineError `invalid-argument` naming the methods of the contract that the driver lacks. */
export function checkMethods(name: string, point: DriverPoint<unknown>, driver: object): void {
  const lacking = (point.methods ?? []).filter(
    (method) => typeof (driver as Readonly<Record<string, unknown>>)[method] !== 'function',
  );
  if (lacking.length === 0) return;
  const { kind, version } = point;
  throw new EngineError(
    'invalid-argument',
    `${name} does not implement ${kind}/${version.major}.${version.minor}: it lacks ${lacking.join(', ')}`,
  );
}
