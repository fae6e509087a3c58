import { type EngineError, invalidArgument } from '@gantry/core/errors';
import { selectCapabilities } from '../../oci/capabilities.js';
import { parseSeccompProfile } from '../../oci/seccomp.js';
import type { HostConfig } from '../../schema.js';
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

/** Labels are kept for inspect; no process gets one. */
function checkLabel(option: string, value: string, { warn }: Checks): void {
  if (value === 'disable') return;
  if (!/^(?:user|role|type|level|filetype|nested)[:=]?./.test(value) && value !== 'nested') throw refused(option);
  warn(`SecurityOpt: "${option}" has no effect: SELinux is not supported.`);
}

function checkSeccomp(value: string, { CapAdd: add = [], CapDrop: drop = [] }: HostConfig, { host }: Checks): void {
  if (value === 'unconfined' || value === 'builtin') return;
  parseSeccompProfile(value, selectCapabilities({ add, drop, privileged: false }, host.capabilities));
}

const refused = (option: string): EngineError =>
  invalidArgument(`SecurityOpt: invalid --security-opt: ${JSON.stringify(option.slice(0, 80))}`);
