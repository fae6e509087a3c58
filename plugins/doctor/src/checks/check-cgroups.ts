import type { Finding } from '../finding.js';
import type { CgroupFacts } from '../host/host-facts.js';
import { Subject } from './subject.js';

/** What is lost without each. */
const wanted: readonly (readonly [controller: string, loss: string])[] = [
  ['cpu', 'shares and quotas of processors'],
  ['cpuset', 'the choice of processors'],
  ['memory', 'limits of memory'],
  ['pids', 'limits of processes'],
];

export function checkCgroups(cgroups: CgroupFacts, isOrdinary: boolean): readonly Finding[] {
  const version = new Subject('cgroups.version', 'version', 'Containers are limited, measured and paused by cgroups.');
  if (cgroups.mode === 'none' || cgroups.controllers.size === 0) {
    return [
      isOrdinary
        ? version.warning(
            'no cgroup is delegated to this user',
            'Log in with a session of systemd on a host with version 2; until then limits have no effect.',
          )
        : version.problem('no cgroups are mounted', 'Mount them at /sys/fs/cgroup; the init system usually does.'),
    ];
  }
  return [checkVersion(version, cgroups), checkControllers(cgroups, isOrdinary), checkDriver(cgroups)];
}

function checkVersion(subject: Subject, { mode }: CgroupFacts): Finding {
  if (mode === 'v2') return subject.ok('version 2');
  return subject.warning(
    mode === 'v1' ? 'version 1' : 'version 1, with an empty tree of version 2 beside it',
    'Boot with systemd.unified_cgroup_hierarchy=1: systemd gives version 1 up, and some limits are those of version 2 only.',
  );
}

function checkControllers({ controllers, mode }: CgroupFacts, isOrdinary: boolean): Finding {
  const subject = new Subject('cgroups.controllers', 'controllers', 'Each limits or measures one resource.');
  // Versions call the one of block devices by different names.
  const missing = wanted.filter(([controller]) => !controllers.has(controller));
  const found = [...controllers].sort().join(', ');
  if (missing.length === 0) return subject.ok(found);
  const lost = missing.map(([controller, loss]) => `${controller} (${loss})`).join(', ');
  return subject.warning(
    `missing: ${lost}; there: ${found}`,
    isOrdinary
      ? 'Have systemd delegate them: Delegate=cpu cpuset io memory pids of user@.service.'
      : `Boot with cgroup_enable=${missing.map(([controller]) => controller).join(',')}${mode === 'v2' ? '' : ', and mount them'}.`,
  );
}

function checkDriver({ driver, mode, systemd }: CgroupFacts): Finding {
  const subject = new Subject(
    'cgroups.driver',
    'driver',
    'Either systemd or the engine itself makes the groups of containers.',
  );
  const chosen = driver ?? (systemd && mode === 'v2' ? 'systemd' : 'cgroupfs');
  if (chosen === 'systemd' && !systemd) {
    return subject.problem(
      'systemd is configured, and is not the init system',
      'Remove cgroupDriver from the section runtime/runc of the configuration.',
    );
  }
  if (chosen === 'cgroupfs' && systemd && mode === 'v2') {
    return subject.warning(
      'cgroupfs is configured beside systemd',
      'Remove cgroupDriver from the section runtime/runc: systemd expects that no one else writes to the tree.',
    );
  }
  return subject.ok(chosen);
}
