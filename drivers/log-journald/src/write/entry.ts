import type { LogContainer } from '@gantry/core/contracts';
import type { LogMessage } from '@gantry/lib-log';
import { renderTag, selectedAttributes } from '@gantry/lib-log/options';

/** Which of the journal's priorities a stream has. */
export const priorities = { stdout: 6, stderr: 3 } as const;

const newline = Buffer.from('\n');

/** A field in the form that takes any bytes. */
function field(name: string, value: string | Buffer): Buffer[] {
  const bytes = typeof value === 'string' ? Buffer.from(value) : value;
  if (!bytes.includes(0x0a)) return [Buffer.from(`${name}=`), bytes, newline];
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(bytes.length));
  return [Buffer.from(`${name}\n`), length, bytes, newline];
}

/** A name as the journal allows it: capitals, digits and `_`, which it does not begin with. Empty: there is none. */
const fieldName = (name: string): string => {
  const plain = name.toUpperCase().replace(/[^A-Z0-9]/g, '_');
  return /^[A-Z]/.test(plain) ? plain : plain.replace(/^[^A-Z]+/, '');
};

/** Makes the journal's entries of a container's lines. */
export class EntryFormat {
  readonly #fixed: Buffer;

  constructor(container: LogContainer, epoch: string) {
    const { id, name, imageName, options } = container;
    const tag = renderTag(options.tag || '{{.ID}}', container);
    const fixed: Record<string, string> = {
      ...Object.fromEntries(
        Object.entries(selectedAttributes(container)).flatMap(([key, value]) => {
          const allowed = fieldName(key);
          return allowed === '' ? [] : [[allowed, value]];
        }),
      ),
      CONTAINER_ID: id.slice(0, 12),
      CONTAINER_ID_FULL: id,
      CONTAINER_NAME: name,
      CONTAINER_TAG: tag,
      IMAGE_NAME: imageName,
      SYSLOG_IDENTIFIER: tag,
      CONTAINER_LOG_EPOCH: epoch,
    };
    this.#fixed = Buffer.concat(Object.entries(fixed).flatMap(([key, value]) => field(key, value)));
  }

  bytes({ stream, time, line, partial, ordinal, piece }: LogMessage): Buffer {
    const pieces = piece && {
      CONTAINER_PARTIAL_ID: piece.id,
      CONTAINER_PARTIAL_ORDINAL: `${piece.ordinal}`,
      CONTAINER_PARTIAL_LAST: `${!partial}`,
    };
    const fields: Record<string, string> = {
      PRIORITY: `${priorities[stream]}`,
      SYSLOG_TIMESTAMP: timeText(time),
      CONTAINER_LOG_ORDINAL: `${ordinal}`,
      ...(partial && { CONTAINER_PARTIAL_MESSAGE: 'true' }),
      ...pieces,
    };
    const parts = Object.entries(fields).flatMap(([key, value]) => field(key, value));
    return Buffer.concat([this.#fixed, ...parts, ...field('MESSAGE', line)]);
  }
}

/** RFC 3339 in UTC with nine decimals. */
const timeText = (time: bigint): string =>
  `${new Date(Number(time / 1_000_000n)).toISOString().slice(0, 19)}.${`${time % 1_000_000_000n}`.padStart(9, '0')}Z`;
