import type { OciProcess } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import { AppArmor } from '@gantry/lib-linux/app-armor';
import { HostFacts } from '../host/host-facts.js';
import type { ContainerRecord } from '../record.js';
import { appArmorProfileOf } from './app-armor-profile-of.js';
import { defaultProfile, defaultProfileName } from './default-profile.js';

/** What confines the processes of containers: profiles of AppArmor, and contexts of SELinux. */
@injectable()
export class Confinement {
  constructor(
    @inject(HostFacts) private readonly host: Pick<HostFacts, 'appArmor'>,
    @inject(AppArmor.token) private readonly appArmor: AppArmor,
  ) {}

  /** How the runtime confines a process. Rejects `invalid-argument` for an AppArmor profile that is not loaded. */
  async of(record: ContainerRecord): Promise<Pick<OciProcess, 'apparmorProfile' | 'selinuxLabel'>> {
    const apparmorProfile = await this.profileFor(record);
    return {
      ...(apparmorProfile !== undefined && { apparmorProfile }),
      ...(record.labels?.process && { selinuxLabel: record.labels.process }),
    };
  }

  /** The profile to start a container with; undefined for none. Rejects `invalid-argument` when it is not loaded. */
  async profileFor(record: ContainerRecord): Promise<string | undefined> {
    const profile = appArmorProfileOf(record, this.host);
    if (profile === '' || profile === 'unconfined') return undefined;
    if ((await this.appArmor.profiles()).has(profile)) return profile;
    if (profile !== defaultProfileName) {
      throw invalidArgument(`SecurityOpt: AppArmor profile "${profile}" is not loaded on this host`);
    }
    await this.appArmor.load(defaultProfile);
    return profile;
  }
}
