import { EngineError } from '../../errors/engine-error.js';
import type { DriverPoint } from '../points/driver-point.js';

/** @throws EngineError `invalid-argument` naming the methods of the contract that the driver lacks. */
export function checkMethods(name: string, point: DriverPoint<unknown>, driver: object): void {
  const lacking = (point.methods ?? []).filter((method) => typeof valueAt(driver, method) !== 'function');
  if (lacking.length === 0) return;
  const { kind, version } = point;
  throw new EngineError(
    'invalid-argument',
    `${name} does not implement ${kind}/${version.major}.${version.minor}: it lacks ${lacking.join(', ')}`,
  );
}

/** The value at a path such as `io.attach`. */
const valueAt = (driver: object, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((value, name) => (value as Readonly<Record<string, unknown>> | undefined)?.[name], driver);
