import { existsSync } from 'node:fs';
import { DriverSkipped } from '@gantry/core/errors';
import type { Config } from './config.js';
import { JournaldLog } from './journald-log.js';

/** @throws DriverSkipped when this host has no such journal. */
export function openJournal({ namespace, journalctl }: Config): JournaldLog {
  const socket = `/run/systemd/journal${namespace === '' ? '' : `.${namespace}`}/socket`;
  if (!existsSync(socket)) throw new DriverSkipped(`journald is not enabled on this host: there is no ${socket}`);
  return new JournaldLog({ socket, journalctl, scope: namespace === '' ? [] : [`--namespace=${namespace}`] });
}
