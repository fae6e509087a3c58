type Form = 'string' | 'number' | 'boolean' | 'object';

/** Checks the types of a stored record's required fields. @throws Error naming the first invalid field. */
export function parseRecord<T>(value: unknown, fields: Readonly<Partial<Record<keyof T & string, Form>>>): T {
  if (typeof value !== 'object' || value === null) throw new Error('the record is no object');
  const record = value as Record<string, unknown>;
  for (const [field, form] of Object.entries(fields)) {
    if (typeof record[field] !== form) throw new Error(`${field} is not a ${String(form)}`);
  }
  return value as T;
}
