import { type EngineError, invalidArgument } from '@gantry/core/errors';
import { selectCapabilities } from '../../oci/capabilities.js';
import { parseSeccompProfile } from '../../oci/seccomp.js';
import type { HostConfig } from '../../schema.js';
import { parseLabelOption } from '../../security/security-labels.js';
import type { Checks, HostConfigCheck } from '../../validation/host-config-check.js';

/** SecurityOpt. Capabilities must be checked before: a seccomp profile is read for those the container will have. */
export const checkSecurityOptions: HostConfigCheck = (wish, checks) => {
  for (const option of wish.SecurityOpt ?? []) checkOption(option, wish, checks);
  return wish;
};

/** `key=value`, the old `key:value`, and `no-new-privileges` alone. */
function checkOption(option: string, wish: HostConfig, checks: Checks): void {
  if (option === 'no-new-privileges') return;
  const [, key, value] = /^([^=:]+)[=:](.*)$/s.exec(option) ?? [];
  if (key === undefined || value === undefined) throw refused(option);
  switch (key) {
    case 'label':
      checkLabel(option, value, checks);
      return;
    case 'no-new-privileges':
      if (value !== 'true' && value !== 'false') throw refused(option);
      return;
    case 'apparmor':
      if (value === '') throw refused(option);
      if (value !== 'unconfined' && !checks.host.appArmor) {
        throw invalidArgument(`SecurityOpt: "${option}" cannot be applied: AppArmor is not enabled on this host`);
      }
      return;
    case 'seccomp':
      checkSeccomp(value, wish, checks);
      return;
    default:
      throw refused(option);
  }
}

/** Whether the policy has the label is found out with the others of the container. */
function checkLabel(option: string, value: string, { host, warn }: Checks): void {
  const parsed = parseLabelOption(value);
  if (parsed === undefined) throw refused(option);
  // Without SELinux nothing is labelled, as this asks for.
  if (parsed.name === 'disable' || host.selinux !== undefined) return;
  warn(`SecurityOpt: "${option}" has no effect: SELinux does not confine containers on this host`);
}

function checkSeccomp(value: string, { CapAdd: add = [], CapDrop: drop = [] }: HostConfig, { host }: Checks): void {
  if (value === 'unconfined' || value === 'builtin') return;
  parseSeccompProfile(value, selectCapabilities({ add, drop, privileged: false }, host.capabilities));
}

const refused = (option: string): EngineError =>
  invalidArgument(`SecurityOpt: invalid --security-opt: ${JSON.stringify(option.slice(0, 80))}`);
