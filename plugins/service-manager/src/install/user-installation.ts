import type { Host } from './host.js';
import { fileRemoval, fileStep, type Step } from './step.js';
import { UnitControl } from './unit-control.js';
import { type ProgramPaths, userService } from './unit-files.js';

const service = 'gantry.service';

interface UserInstallation {
  readonly paths: ProgramPaths;
  /** The user's, with `systemd/user` below it. */
  readonly configDirectory: string;
  readonly start: boolean;
}

/** What makes the engine a service of an ordinary user's systemd. */
export function userSteps(host: Host, { paths, configDirectory, start }: UserInstallation): readonly Step[] {
  const units = new UnitControl(host, 'user');
  const file = fileStep(host, fileIn(configDirectory), userService(paths));
  return [file, units.reload([service], [file]), units.enable([service]), ...(start ? [units.start([service])] : [])];
}

/** What undoes it. */
export async function userRemoval(host: Host, configDirectory: string): Promise<readonly Step[]> {
  const units = new UnitControl(host, 'user');
  const file = fileRemoval(host, fileIn(configDirectory));
  return (await file.isDone()) ? [] : [units.disable([service]), file, units.reload([service], [file])];
}

const fileIn = (configDirectory: string): string => `${configDirectory}/systemd/user/${service}`;
