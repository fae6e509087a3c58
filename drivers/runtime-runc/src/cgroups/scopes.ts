import { basename } from 'node:path';
import { inject, injectable } from '@gantry/core/driver';
import { internal } from '@gantry/core/errors';
import { Launcher } from '@gantry/lib-linux/launcher';

/** The scopes of systemd that tasks run in. */
@injectable()
export class Scopes {
  constructor(@inject(Launcher.token) private readonly launcher: Launcher) {}

  /** Whether systemd made the cgroup. */
  has(cgroup: string): boolean {
    return cgroup.endsWith('.scope');
  }

  /**
   * Has systemd forget the unit of an empty cgroup and remove the cgroup. Its directory must not be removed before: systemd
   * would keep the unit. Absent: resolves.
   */
  async stop(cgroup: string, options: { readonly signal?: AbortSignal }): Promise<void> {
    const unit = basename(cgroup);
    const { code, stderr } = await this.launcher.run('systemctl', ['stop', '--quiet', unit], options);
    if (code === 0 || code === notLoaded) return;
    throw internal(`systemctl could not stop ${unit}: ${stderr.toString().trim()}`);
  }
}

/** EXIT_NOTINSTALLED of systemctl(1). */
const notLoaded = 5;
