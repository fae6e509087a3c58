import { EngineError } from '../../errors/engine-error.js';
import type { DriverPoint } from '../points/driver-point.js';

/** A driver without methods of its contract, `invalid-argument`. */
export class MissingMethods extends EngineError {
  constructor(name: string, { kind, version }: DriverPoint<unknown>, lacking: readonly string[]) {
    const contract = `${kind}/${version.major}.${version.minor}`;
    super('invalid-argument', `${name} does not implement ${contract}: it lacks ${lacking.join(', ')}`);
  }
}

/** @throws MissingMethods naming the methods and capabilities of the contract that the driver lacks. */
export function checkMethods(name: string, point: DriverPoint<unknown>, driver: object): void {
  const isLacking = (method: string): boolean => typeof valueAt(driver, method) !== 'function';
  const { methods = [], capabilities = [], capabilityMethods = {} } = point;
  const lacking = [
    ...methods.filter(isLacking),
    ...capabilities.filter((each) => valueAt(driver, `capabilities.${each}`) === undefined).map(capability),
    ...Object.entries(capabilityMethods)
      .filter(([method, each]) => valueAt(driver, `capabilities.${each}`) === true && isLacking(method))
      .map(([method, each]) => `${method}, which ${capability(each)} promises`),
  ];
  if (lacking.length > 0) throw new MissingMethods(name, point, lacking);
}

const capability = (name: string): string => `capabilities.${name}`;

/** The value at a path such as `io.attach`. */
const valueAt = (driver: object, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((value, name) => (value as Readonly<Record<string, unknown>> | undefined)?.[name], driver);
