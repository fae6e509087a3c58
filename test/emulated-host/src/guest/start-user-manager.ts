import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { run } from './run.js';
import { systemctl } from './systemctl.js';

interface NewUser {
  readonly uid: number;
  /** The user's line of /etc/passwd, and that of its group. */
  readonly passwd: string;
  readonly group: string;
}

/**
 * Starts the systemd of a user, as a login does, with all controllers of cgroups: by default a user has those of memory,
 * processors' time and processes only. Returns the user's runtime directory.
 */
export async function startUserManager({ uid, passwd, group }: NewUser): Promise<string> {
  appendFileSync('/etc/passwd', `${passwd}\n`);
  appendFileSync('/etc/group', `${group}\n`);
  // Without a line here PAM refuses the session.
  appendFileSync('/etc/shadow', `${passwd.split(':')[0]}:*:20000:0:99999:7:::\n`);
  const settings = '/etc/systemd/system/user@.service.d';
  mkdirSync(settings, { recursive: true });
  writeFileSync(`${settings}/delegate.conf`, '[Service]\nDelegate=yes\n');
  systemctl('daemon-reload');
  systemctl('start', 'systemd-logind.service');
  run('loginctl', 'enable-linger', `${uid}`);
  systemctl('start', `user@${uid}.service`);
  return `/run/user/${uid}`;
}
