import type { EngineFacts } from '../engine-facts.js';
import type { Finding } from '../finding.js';
import { Subject } from './subject.js';

/** What a running daemon says of itself. @param now milliseconds since 1970. */
export const checkEngine = (engine: EngineFacts, now: number): readonly Finding[] => [
  checkPackages(engine),
  checkStorage(engine),
  checkOrphans(engine, now),
  checkDescriptors(engine),
];

function checkPackages({ packages }: EngineFacts): Finding {
  const subject = new Subject(
    'engine.packages',
    'packages',
    'Optional packages may fail; the daemon runs without them.',
  );
  const failed = packages.filter(({ state }) => state === 'failed');
  if (failed.length === 0) return subject.ok(`${packages.filter(({ state }) => state === 'ready').length} run`);
  return subject.warning(
    failed.map(({ name, reason = 'failed' }) => `${name}: ${reason}`).join('; '),
    'Remove its cause, or the package from the configuration, and start the daemon again.',
  );
}

function checkStorage({ packages }: EngineFacts): Finding {
  const subject = new Subject(
    'engine.storage',
    'storage driver',
    'overlayfs shares the files of an image between its containers; vfs copies them for each.',
  );
  const drivers = packages.filter(({ name }) => name.startsWith('storage/'));
  const used = drivers.find(({ isDefault }) => isDefault === true)?.name.slice('storage/'.length) ?? 'none';
  const skipped = drivers.filter(({ state }) => state !== 'ready');
  if (used !== 'vfs' || skipped.length === 0) return subject.ok(used);
  const reasons = skipped.map(({ reason = '' }) => reason).join('; ');
  return subject.warning(`vfs, since ${reasons}`, 'Remove the reason, and start the daemon again.');
}

function checkOrphans({ leaks, orphans }: EngineFacts, now: number): Finding {
  const subject = new Subject(
    'engine.orphans',
    'orphans',
    'Layers, mounts and the like that nothing refers to any more. They only take room; but there should be none.',
  );
  if (orphans.length > 0) {
    const names = orphans.slice(0, 3).map(({ name, owner, what }) => `${what} ${name} of ${owner}`);
    const rest = orphans.length > names.length ? `, and ${orphans.length - names.length} more` : '';
    return subject.warning(
      `${names.join(', ')}${rest}`,
      'Run "gantryd check", and "gantryd check --remove" to remove them.',
    );
  }
  const { last, since } = leaks;
  return subject.ok(
    last === undefined
      ? `none, and none since the first look ${ago(now - since)}`
      : `none now; the last ones were found ${ago(now - last)}`,
  );
}

function checkDescriptors({ descriptors: { limit, open } }: EngineFacts): Finding {
  const subject = new Subject('engine.descriptors', 'open files', 'Each container, client and log takes some.');
  const found = `${open} of ${limit}`;
  if (open < limit * 0.8) return subject.ok(found);
  return subject.warning(found, 'Raise the limit of the daemon: LimitNOFILE= of its service.');
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

function ago(milliseconds: number): string {
  for (const [unit, length] of units) {
    const count = Math.floor(milliseconds / length);
    if (count > 0) return `${count} ${unit}${count === 1 ? '' : 's'} ago`;
  }
  return 'just now';
}
