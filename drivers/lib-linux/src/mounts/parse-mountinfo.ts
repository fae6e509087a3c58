import type { MountEntry } from './mounts.js';

/** Reads the text of /proc/PID/mountinfo. Lines that are not understood are left out. */
export function parseMountinfo(text: string): readonly MountEntry[] {
  const entries: MountEntry[] = [];
  for (const line of text.split('\n')) {
    const entry = line === '' ? undefined : parseLine(line);
    if (entry !== undefined) entries.push(entry);
  }
  return entries;
}

function parseLine(line: string): MountEntry | undefined {
  const fields = line.split(' ');
  // Any number of optional fields stands between the sixth and a lone dash.
  const dash = fields.indexOf('-', 6);
  const [id, parent, device, root, target, options] = fields;
  const [type, source, superOptions] = fields.slice(dash + 1);
  if (dash < 0 || device === undefined || root === undefined || target === undefined || type === undefined) {
    return undefined;
  }
  const optional = fields.slice(6, dash);
  return {
    id: Number(id),
    parent: Number(parent),
    device,
    root: unescapeField(root),
    target: unescapeField(target),
    options: options?.split(',') ?? [],
    shared: peerGroup(optional, 'shared:'),
    master: peerGroup(optional, 'master:'),
    type: unescapeField(type),
    source: unescapeField(source ?? ''),
    superOptions: superOptions?.split(',').map(unescapeField) ?? [],
  };
}

function peerGroup(optional: readonly string[], prefix: string): number | undefined {
  const field = optional.find((candidate) => candidate.startsWith(prefix));
  return field === undefined ? undefined : Number(field.slice(prefix.length));
}

/** The kernel writes blanks, line ends and backslashes as three octal digits; the rest of the bytes as they are. */
function unescapeField(field: string): string {
  return field.includes('\\')
    ? field.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)))
    : field;
}
