import type { ContainerSpec } from '@gantry/services/service';

/** Privileges of a task as the security options of its container. */
export function securityOptionsOf(privileges: ContainerSpec['Privileges']): readonly string[] {
  const {
    AppArmor: appArmor,
    NoNewPrivileges: noNewPrivileges,
    SELinuxContext: selinux,
    Seccomp: seccomp,
  } = privileges ?? {};
  const labels = { user: selinux?.User, role: selinux?.Role, type: selinux?.Type, level: selinux?.Level };
  return [
    ...(selinux?.Disable === true ? ['label=disable'] : []),
    ...Object.entries(labels).flatMap(([key, value]) => (value ? [`label=${key}:${value}`] : [])),
    ...(seccomp?.Mode === 'unconfined' ? ['seccomp=unconfined'] : []),
    ...(seccomp?.Mode === 'custom' ? [`seccomp=${Buffer.from(seccomp.Profile ?? '', 'base64').toString()}`] : []),
    ...(appArmor?.Mode === 'disabled' ? ['apparmor=unconfined'] : []),
    ...(noNewPrivileges === true ? ['no-new-privileges'] : []),
  ];
}
