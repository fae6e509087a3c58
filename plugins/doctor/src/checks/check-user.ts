import { requiredPrograms } from '@gantry/lib-rootless';
import type { Finding } from '../finding.js';
import type { HostFacts } from '../host/host-facts.js';
import { Subject } from './subject.js';

/** What an ordinary user's engine needs beside all others. */
export function checkUser({ kernel, user }: HostFacts): readonly Finding[] {
  const { isOrdinary, name, uid } = user;
  const who = new Subject('user.account', 'account', 'Root has the whole host; an ordinary user needs what follows.');
  if (!isOrdinary) return [who.ok('root: nothing of an ordinary user’s needs applies')];
  return [
    who.ok(`${name} (${uid}), an ordinary user`),
    checkNamespaces(user),
    checkIds(user),
    checkPrograms(user),
    checkOutside(user),
    checkDirectory(user),
    checkOverlays(kernel),
  ];
}

type User = HostFacts['user'];

function checkNamespaces({ namespacesRefused }: User): Finding {
  const subject = new Subject(
    'user.namespaces',
    'namespaces',
    'The engine is root in a user namespace of the user’s own.',
  );
  if (namespacesRefused === undefined) return subject.ok('the user may make them');
  const [setting, value] = namespacesRefused.split('=');
  const allowed = setting === 'user.max_user_namespaces' ? '28633' : value === '1' ? '0' : '1';
  return subject.problem(namespacesRefused, `As root run "sysctl -w ${setting}=${allowed}".`);
}

function checkIds({ idFailures }: User): Finding {
  const subject = new Subject('user.ids', 'subordinate ids', 'Files of images belong to many users; each needs an id.');
  return idFailures.length === 0
    ? subject.ok('enough')
    : subject.problem(idFailures.join('; '), 'Give the user 65,536 ids in each file, as it says.');
}

function checkPrograms({ programs: found }: User): Finding {
  const subject = new Subject('user.programs', 'programs', 'They make the namespaces and enter them.');
  const missing = Object.entries(requiredPrograms).filter(([program]) => !found.has(program));
  if (missing.length === 0) return subject.ok(Object.keys(requiredPrograms).join(', '));
  const packages = [...new Set(missing.map(([, name]) => name))].join(' ');
  const names = missing.map(([program]) => program).join(', ');
  return subject.problem(`missing: ${names}`, `As root run "apt-get install ${packages}".`);
}

function checkOutside({ canOpenTun, programs: found }: User): Finding {
  const subject = new Subject(
    'user.network',
    'network',
    'Containers reach the outside through a program, and it a device.',
  );
  const connecting = ['pasta', 'slirp4netns'].filter((program) => found.has(program));
  if (connecting.length === 0) {
    return subject.problem('neither pasta nor slirp4netns is installed', 'As root run "apt-get install passt".');
  }
  if (!canOpenTun) return subject.problem('/dev/net/tun cannot be opened', 'As root run "modprobe tun".');
  return subject.ok(connecting.join(', '));
}

function checkDirectory({ runtimeDirectory }: User): Finding {
  const subject = new Subject('user.runtime-directory', 'XDG_RUNTIME_DIR', 'Sockets of the engine are in it.');
  return runtimeDirectory?.startsWith('/') === true
    ? subject.ok(runtimeDirectory)
    : subject.problem(
        'not set',
        'Log in with a session of your own ("loginctl enable-linger" keeps it), or set it to a directory that only you can write to.',
      );
}

function checkOverlays({ release }: HostFacts['kernel']): Finding {
  const subject = new Subject('user.overlays', 'overlays', 'Ordinary users may mount them since Linux 5.11.');
  const [major = 0, minor = 0] = release.split('.').map(Number.parseFloat);
  return major > 5 || (major === 5 && minor >= 11)
    ? subject.ok(release)
    : subject.warning(release, 'Use a newer kernel: on this one images are copied for each container.');
}
