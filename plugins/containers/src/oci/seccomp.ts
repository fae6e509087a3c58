import { arch, release } from 'node:os';
import type { OciSeccomp } from '@gantry/core/contracts';
import { invalidArgument, messageOf } from '@gantry/core/errors';
import {
  allowedCalls,
  callsByCapability,
  callsByKernel,
  namespaceFlags,
  personalities,
  refusedFamilies,
} from './seccomp-data.js';

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

const errno = { EPERM: 1, ENOSYS: 38 } as const;

const architectures: Readonly<Record<string, readonly string[]>> = {
  x64: ['SCMP_ARCH_X86_64', 'SCMP_ARCH_X86', 'SCMP_ARCH_X32'],
  arm64: ['SCMP_ARCH_AARCH64', 'SCMP_ARCH_ARM'],
};

type Rule = NonNullable<OciSeccomp['syscalls']>[number];

const allow = (names: readonly string[], args?: Rule['args']): Rule => ({
  names,
  action: 'SCMP_ACT_ALLOW',
  ...(args !== undefined && { args }),
});

/** Filters by the capabilities they are made for: there are few, and each is large. */
const made = new Map<string, OciSeccomp>();

/** The default filter for a container with these capabilities, on a kernel of this release. */
export function defaultSeccomp(capabilities: readonly string[], kernel = release()): OciSeccomp {
  const key = `${kernel} ${capabilities.join()}`;
  let filter = made.get(key);
  if (filter === undefined) {
    filter = makeFilter(new Set(capabilities), kernel);
    made.set(key, filter);
  }
  return filter;
}

function makeFilter(capabilities: ReadonlySet<string>, kernel: string): OciSeccomp {
  const calls = new Set(words(allowedCalls));
  for (const [capability, names] of Object.entries(callsByCapability)) {
    if (capabilities.has(capability)) for (const name of words(names)) calls.add(name);
  }
  for (const [version, names] of Object.entries(callsByKernel)) {
    if (isAtLeast(kernel, version)) for (const name of words(names)) calls.add(name);
  }
  const rules: Rule[] = [
    allow([...calls].sort()),
    ...personalities.map((value) => allow(['personality'], [{ index: 0, value, op: 'SCMP_CMP_EQ' }])),
    // Rules are alternatives, so each range around the refused families has its own.
    allow(['socket'], [{ index: 0, value: refusedFamilies.AF_ALG, op: 'SCMP_CMP_LT' }]),
    allow(['socket'], [{ index: 0, value: refusedFamilies.AF_ALG + 1, op: 'SCMP_CMP_EQ' }]),
    allow(['socket'], [{ index: 0, value: refusedFamilies.AF_VSOCK, op: 'SCMP_CMP_GT' }]),
  ];
  if (!capabilities.has('CAP_SYS_ADMIN')) {
    rules.push(
      allow(['clone'], [{ index: 0, value: namespaceFlags, valueTwo: 0, op: 'SCMP_CMP_MASKED_EQ' }]),
      // Its flags are in memory, which a filter cannot read. Programs that get ENOSYS fall back to clone.
      { names: ['clone3'], action: 'SCMP_ACT_ERRNO', errnoRet: errno.ENOSYS },
    );
  }
  return {
    defaultAction: 'SCMP_ACT_ERRNO',
    defaultErrnoRet: errno.EPERM,
    architectures: architectures[arch()] ?? [],
    syscalls: rules,
  };
}

/** A profile file as clients send it, in the form of engines of this kind. */
interface Profile {
  readonly defaultAction?: unknown;
  readonly defaultErrnoRet?: unknown;
  readonly architectures?: unknown;
  readonly archMap?: unknown;
  readonly syscalls?: unknown;
}

interface ProfileRule {
  readonly name?: string;
  readonly names?: readonly string[];
  readonly action: string;
  readonly errnoRet?: number;
  readonly args?: Rule['args'] | null;
  readonly includes?: ProfileCondition;
  readonly excludes?: ProfileCondition;
}

interface ProfileCondition {
  readonly caps?: readonly string[];
  readonly arches?: readonly string[];
  /** Such as `4.8`: kernels of this version and later. */
  readonly minKernel?: string;
}

const profileArch = (): string => (arch() === 'x64' ? 'amd64' : arch());

/**
 * Reads a profile's JSON for a container with these capabilities.
 * @throws EngineError `invalid-argument` saying what is wrong with it.
 */
export function parseSeccompProfile(text: string, capabilities: readonly string[], kernel = release()): OciSeccomp {
  let profile: Profile;
  try {
    profile = JSON.parse(text);
  } catch (error) {
    throw invalidArgument(`SecurityOpt: decoding seccomp profile failed: ${messageOf(error)}`, { cause: error });
  }
  if (typeof profile.defaultAction !== 'string') {
    throw invalidArgument('SecurityOpt: the seccomp profile has no defaultAction');
  }
  const rules = Array.isArray(profile.syscalls) ? (profile.syscalls as readonly ProfileRule[]) : [];
  const own = architectures[arch()] ?? [];
  const listed = Array.isArray(profile.architectures) ? (profile.architectures as readonly string[]) : own;
  return {
    defaultAction: profile.defaultAction,
    architectures: listed,
    ...(typeof profile.defaultErrnoRet === 'number' && { defaultErrnoRet: profile.defaultErrnoRet }),
    syscalls: rules.filter((rule) => applies(rule, capabilities, kernel)).map(toRule),
  };
}

function applies({ includes, excludes }: ProfileRule, capabilities: readonly string[], kernel: string): boolean {
  if (includes?.arches?.length && !includes.arches.includes(profileArch())) return false;
  if (excludes?.arches?.includes(profileArch())) return false;
  if (includes?.caps?.some((capability) => !capabilities.includes(capability))) return false;
  if (includes?.minKernel !== undefined && !isAtLeast(kernel, includes.minKernel)) return false;
  if (excludes?.minKernel !== undefined && isAtLeast(kernel, excludes.minKernel)) return false;
  return !excludes?.caps?.some((capability) => capabilities.includes(capability));
}

/** @throws EngineError `invalid-argument` for a condition that is no version. */
function isAtLeast(kernel: string, minimum: string): boolean {
  const wanted = versionOf(minimum);
  if (wanted === undefined) {
    throw invalidArgument(`SecurityOpt: the seccomp profile's minKernel "${minimum}" is not a version such as 4.8`);
  }
  const [major, minor] = versionOf(kernel) ?? [0, 0];
  return major > wanted[0] || (major === wanted[0] && minor >= wanted[1]);
}

function versionOf(text: string): readonly [major: number, minor: number] | undefined {
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(text) ?? [];
  return major === undefined ? undefined : [Number(major), Number(minor)];
}

function toRule({ name, names, action, errnoRet, args }: ProfileRule): Rule {
  const all = names ?? (name === undefined ? [] : [name]);
  if (all.length === 0 || typeof action !== 'string') {
    throw invalidArgument('SecurityOpt: the seccomp profile has a rule without names or action');
  }
  return { names: all, action, ...(errnoRet !== undefined && { errnoRet }), ...(args?.length && { args }) };
}
