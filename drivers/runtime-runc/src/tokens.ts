import type { RuntimeCapabilities } from '@gantry/core/contracts';

/** Injects the path of conmon. */
export const ConmonPath = Symbol('gantry.runtime-runc.conmon-path');
export type ConmonPath = string;

/** Injects the id of the host's current boot. */
export const BootId = Symbol('gantry.runtime-runc.boot-id');
export type BootId = string;

/** Injects which cgroup hierarchies the host has. */
export const CgroupMode = Symbol('gantry.runtime-runc.cgroup-mode');
export type CgroupMode = RuntimeCapabilities['cgroups'];
