import type { Finding } from '../finding.js';
import type { ClockFacts } from '../host/host-facts.js';
import { Subject } from './subject.js';

/** No host can have this version earlier. */
const releasedAfter = Date.UTC(2026, 10, 1);
const day = 86_400_000;
const tolerance = 300_000;

const remedy = 'Set the clock, and have it kept: enable systemd-timesyncd or chrony.';

export const checkClock = (clock: ClockFacts): readonly Finding[] => [checkTime(clock), checkSynchronization(clock)];

function checkTime({ builtAt, newestData, now }: ClockFacts): Finding {
  const subject = new Subject(
    'clock.time',
    'time',
    'Certificates of registries and nodes are refused, and logs and events are out of order, when it is wrong.',
  );
  const found = toText(now);
  const earliest = Math.max(releasedAfter, builtAt - day);
  if (now < earliest) return subject.problem(`${found}, and this engine is of ${toText(builtAt)} or later`, remedy);
  if (newestData !== undefined && now < newestData - tolerance) {
    return subject.warning(`${found}, but the engine has data of ${toText(newestData)}: the clock went back`, remedy);
  }
  return subject.ok(found);
}

function checkSynchronization({ synchronized }: ClockFacts): Finding {
  const subject = new Subject('clock.synchronized', 'synchronization', 'Nodes of a swarm compare times of each other.');
  if (synchronized === undefined) return subject.ok('the kernel may not be asked here');
  return synchronized
    ? subject.ok('the clock is kept')
    : subject.warning('nothing keeps the clock, says the kernel', 'Enable systemd-timesyncd or chrony.');
}

const toText = (time: number): string => `${new Date(time).toISOString().slice(0, 19)}Z`;
