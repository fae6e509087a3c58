import { checkCgroups } from './checks/check-cgroups.js';
import { checkClock } from './checks/check-clock.js';
import { checkEngine } from './checks/check-engine.js';
import { checkFirewall } from './checks/check-firewall.js';
import { checkKernel } from './checks/check-kernel.js';
import { checkPrograms } from './checks/check-programs.js';
import { checkStorage } from './checks/check-storage.js';
import { checkUser } from './checks/check-user.js';
import type { EngineFacts } from './engine-facts.js';
import type { Level, Report } from './finding.js';
import type { HostFacts } from './host/host-facts.js';

const levels: readonly Level[] = ['problem', 'warning'];

/** Judges what was read. @param engine what a running daemon knows. */
export function examine(host: HostFacts, engine?: EngineFacts): Report {
  const { cgroups, clock, firewall, kernel, programs, storage, user } = host;
  const findings = [
    ...checkKernel(kernel),
    ...checkCgroups(cgroups, user.isOrdinary),
    ...checkStorage(storage),
    ...checkFirewall(firewall),
    ...checkClock(clock),
    ...checkUser(host),
    ...checkPrograms(programs),
    ...(engine === undefined ? [] : checkEngine(engine, clock.now)),
  ];
  const level = levels.find((each) => findings.some((finding) => finding.level === each)) ?? 'ok';
  return { time: new Date(clock.now).toISOString(), daemon: engine !== undefined, level, findings };
}
