import { existsSync } from 'node:fs';
import { invalidArgument } from '@gantry/core/errors';
import type { HostConfig } from '../schema.js';

/**
 * Process 1 of a shared PID namespace is another container's or the host's, so there is no place for an init program.
 * @throws EngineError `invalid-argument` when the program is missing on this host.
 */
export function checkInit({ Init, PidMode }: HostConfig, initPath: string, warn: (message: string) => void): void {
  if (Init !== true) return;
  if (PidMode) {
    warn(`Init: with PidMode "${PidMode}" the container has no process 1 of its own. Init discarded.`);
    return;
  }
  if (existsSync(initPath)) return;
  throw invalidArgument(
    `Init: ${initPath} does not exist on this host; install the package tini, or set plugins.containers.initPath`,
  );
}
