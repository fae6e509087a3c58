import type { LogContainer } from '@gantry/core/contracts';
import type { LogMessage } from '@gantry/lib-log';
import { renderTag, selectedAttributes } from '@gantry/lib-log/options';

/** GELF's levels are those of syslog. */
const levels = { stdout: 6, stderr: 3 };

/** Writes lines as GELF 1.1. */
export class GelfFormat {
  /** What all messages of a container have in common, as JSON without its first brace. */
  readonly #common: string;

  constructor(container: LogContainer, hostname: string) {
    const { id, name, imageId, imageName, command, createdAt, options } = container;
    const selected = Object.entries(selectedAttributes(container)).map(([key, value]) => [
      `_${key.replace(/[^\w.-]/g, '_')}`,
      value,
    ]);
    const fields = {
      ...Object.fromEntries(selected),
      version: '1.1',
      host: hostname,
      _command: command.join(' '),
      _container_id: id,
      _container_name: name,
      _created: createdAt.toISOString(),
      _image_id: imageId,
      _image_name: imageName,
      _tag: renderTag(options.tag || '{{.ID}}', container),
    };
    // The field is the protocol's own.
    const { _id: _, ...allowed } = fields as Record<string, unknown>;
    this.#common = JSON.stringify(allowed).slice(1);
  }

  json({ stream, time, line, partial, piece }: LogMessage): string {
    const pieces = piece && {
      _partial_id: piece.id,
      _partial_ordinal: piece.ordinal,
      _partial_last: `${!partial}`,
    };
    const text = line.toString();
    const own = { short_message: text, level: levels[stream], ...pieces };
    const seconds = `${time / 1_000_000_000n}.${`${(time / 1000n) % 1_000_000n}`.padStart(6, '0')}`;
    return `{"timestamp":${seconds},${JSON.stringify(own).slice(1, -1)},${this.#common}`;
  }
}
