/** Fields that do not affect what a step does. */
const ignoredFields = new Set(['Hostname', 'Domainname', 'Image', 'AttachStdin', 'AttachStdout', 'AttachStderr']);

/** A text that is equal for equal configurations: with sorted keys and without empty fields. */
export function canonical(config: object): string {
  const fields = Object.entries(config).filter(([name, value]) => !ignoredFields.has(name) && !isEmpty(value));
  return JSON.stringify(sorted(Object.fromEntries(fields)));
}

const isEmpty = (value: unknown): boolean => !value || (typeof value === 'object' && Object.keys(value).length === 0);

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, sorted(inner)]));
}
