/** A record as it is in the file. */
export interface AuditRecord {
  readonly id: string;
  readonly client: Readonly<Record<string, string | number>>;
  readonly method: string;
  readonly path: string | undefined;
  readonly route: string | null;
  readonly target: Readonly<Record<string, string | undefined>>;
  readonly outcome: string;
  readonly status?: number;
  readonly message?: string;
  readonly milliseconds?: number;
}

/** Of syslog(3): what failed is an error, what was refused is worth notice. */
const priorities: Readonly<Record<string, number>> = { failed: 3, refused: 5 };
const information = 6;
/** The facility for logs that say who did what. */
const auditFacility = 13;

/**
 * A record in the journal's own protocol, with a field for each fact: `GANTRY_OUTCOME`, `GANTRY_CLIENT_UID`.
 * https://systemd.io/JOURNAL_NATIVE_PROTOCOL/
 */
export function journalFields({ client, target, ...record }: AuditRecord): Buffer {
  const { id, method, path, route, outcome, status, message, milliseconds } = record;
  const facts = {
    AUDIT_ID: id,
    METHOD: method,
    PATH: path,
    ROUTE: route ?? undefined,
    OUTCOME: outcome,
    STATUS: status,
    REASON: message,
    MILLISECONDS: milliseconds,
    ...prefixed('CLIENT', client),
    ...prefixed('TARGET', target),
  };
  const who = client.uid === undefined ? String(client.address ?? client.unknown) : `uid ${client.uid}`;
  const fields = {
    MESSAGE: `${who}: ${method} ${path ?? ''}: ${outcome}${status === undefined ? '' : ` (${status})`}`,
    PRIORITY: priorities[outcome] ?? information,
    SYSLOG_FACILITY: auditFacility,
    SYSLOG_IDENTIFIER: 'gantry-audit',
    ...prefixed('GANTRY', facts),
  };
  return Buffer.concat(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [encoded(name, String(value))])),
  );
}

const prefixed = (prefix: string, values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      `${prefix}_${name.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`,
      value,
    ]),
  );

/** A value with its length in front, so that line breaks in it begin no other field. */
function encoded(name: string, value: string): Buffer {
  const bytes = Buffer.from(value);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(bytes.length));
  return Buffer.concat([Buffer.from(`${name}\n`), length, bytes, Buffer.from('\n')]);
}
