import { invalidArgument } from '@gantry/core/errors';

/** @throws EngineError `invalid-argument`. */
export function checkRuntime(name = '', hasRuntime: (name: string) => boolean = () => true): void {
  if (name !== '' && !hasRuntime(name)) throw invalidArgument(`Unknown runtime specified ${name}`);
}
