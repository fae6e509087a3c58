import { invalidArgument } from '@gantry/core/errors';
import type { ContainerContexts } from '@gantry/lib-linux/selinux';
import type { SecurityLabels } from '../record.js';

/** What `label=` options ask for: nothing of it, or parts of contexts. */
type LabelWish = { readonly disable: true } | { readonly disable: false; readonly parts: LabelParts };

type LabelParts = Readonly<Partial<Record<(typeof partNames)[number], string>>>;

const partNames = ['user', 'role', 'type', 'level', 'filetype'] as const;

/** No container has these categories, so that none but the unlabelled can use the files of unlabelled ones. */
export const reservedCategories = 'c1022,c1023';

/** Reads one option's value, such as `disable` or `type:spc_t`. Undefined when it is none. */
export function parseLabelOption(value: string): { readonly name: string; readonly text: string } | undefined {
  if (value === 'disable') return { name: 'disable', text: '' };
  const [, name = '', text = ''] = /^([a-z]+)[:=](.+)$/s.exec(value) ?? [];
  return partNames.some((known) => known === name) ? { name, text } : undefined;
}

/** The `label=` options of SecurityOpt together; undefined when there are none. A later one replaces an earlier one. */
export function labelWishOf(options: readonly string[]): LabelWish | undefined {
  const values = options.flatMap((option) => /^label[:=](.*)$/s.exec(option)?.[1] ?? []);
  if (values.length === 0) return undefined;
  const parts: Record<string, string> = {};
  for (const value of values) {
    const parsed = parseLabelOption(value);
    if (parsed?.name === 'disable') return { disable: true };
    if (parsed !== undefined) parts[parsed.name] = parsed.text;
  }
  return { disable: false, parts };
}

/** `user:role:type:level`, whose level may hold further colons. */
function withParts(context: string, parts: LabelParts): string {
  const [user = '', role = '', type = '', ...level] = context.split(':');
  return [parts.user ?? user, parts.role ?? role, parts.type ?? type, parts.level ?? level.join(':')].join(':');
}

const sensitivityOf = (context: string): string => context.split(':')[3] || 's0';

/** The labels of a container that runs without: its files are out of reach of the labelled ones. */
export const unconfinedLabels = ({ file }: ContainerContexts): SecurityLabels => ({
  process: '',
  mount: withParts(file, { level: `${sensitivityOf(file)}:${reservedCategories}` }),
});

/** The policy's contexts with what the options ask for, and with the categories where they name no level. */
export function labelsFrom(contexts: ContainerContexts, parts: LabelParts, categories: string): SecurityLabels {
  const level = parts.level ?? `${sensitivityOf(contexts.process)}:${categories}`;
  const { user, filetype } = parts;
  return {
    process: withParts(contexts.process, { ...parts, level }),
    // The role of files is fixed.
    mount: withParts(contexts.file, {
      ...(user !== undefined && { user }),
      ...(filetype !== undefined && { type: filetype }),
      level,
    }),
  };
}

/** The same context for all containers. */
export const sharedLabel = (mount: string): string => withParts(mount, { level: sensitivityOf(mount) });

/** Directories that the host's own programs could no longer use with another context. */
const ownOfHost = new Set([
  ...['/', '/bin', '/boot', '/dev', '/etc', '/home', '/lib', '/lib64', '/media', '/mnt', '/opt', '/proc', '/root'],
  ...['/run', '/sbin', '/srv', '/sys', '/tmp', '/usr', '/var', '/var/lib', '/var/log', '/var/run'],
]);

/** @throws EngineError `invalid-argument` for what must keep its contexts. */
export function checkRelabeling(path: string): void {
  if (ownOfHost.has(path)) throw invalidArgument(`SELinux relabeling of ${path} is not allowed`);
}
