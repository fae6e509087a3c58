import { existsSync } from 'node:fs';
import { DriverSkipped } from '@gantry/core/errors';
import type { Config } from './config.js';
import type { Journal } from './journal.js';

/** @throws DriverSkipped when this host has no such journal. */
export function findJournal({ namespace, journalctl }: Config): Journal {
  const socket = `/run/systemd/journal${namespace === '' ? '' : `.${namespace}`}/socket`;
  if (!existsSync(socket)) throw new DriverSkipped(`journald is not enabled on this host: there is no ${socket}`);
  return { socket, journalctl, scope: namespace === '' ? [] : [`--namespace=${namespace}`] };
}
