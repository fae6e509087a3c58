import type { HostFacts } from '../host/host-facts.js';
import type { ContainerRecord } from '../record.js';
import { defaultProfileName } from './default-profile.js';

/** `apparmor=<profile>` of SecurityOpt, or the default: none where the host has no AppArmor. */
export function appArmorProfileOf(
  { hostConfig }: Pick<ContainerRecord, 'hostConfig'>,
  host: Pick<HostFacts, 'appArmor'>,
): string {
  const named = (hostConfig.SecurityOpt ?? [])
    .map((option) => /^apparmor[:=](.+)$/.exec(option)?.[1])
    .find((name) => name !== undefined);
  if (named !== undefined) return named;
  if (!host.appArmor) return '';
  return hostConfig.Privileged === true ? 'unconfined' : defaultProfileName;
}
