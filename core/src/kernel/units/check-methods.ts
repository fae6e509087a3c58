import { EngineError } from '../../errors/engine-error.js';
import type { DriverPoint } from '../points/driver-point.js';

/** A driver without methods of its contract, `invalid-argument`. */
export class MissingMethods extends EngineError {
  constructor(name: string, { kind, version }: DriverPoint<unknown>, lacking: readonly string[]) {
    const contract = `${kind}/${version.major}.${version.minor}`;
    super('invalid-argument', `${name} does not implement ${contract}: it lacks ${lacking.join(', ')}`);
  }
}

/** @throws MissingMethods naming the methods of the contract that the driver lacks. */
export function checkMethods(name: string, point: DriverPoint<unknown>, driver: object): void {
  const lacking = (point.methods ?? []).filter((method) => typeof valueAt(driver, method) !== 'function');
  if (lacking.length > 0) throw new MissingMethods(name, point, lacking);
}

/** The value at a path such as `io.attach`. */
const valueAt = (driver: object, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((value, name) => (value as Readonly<Record<string, unknown>> | undefined)?.[name], driver);
