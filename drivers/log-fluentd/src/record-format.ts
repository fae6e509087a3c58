import type { LogContainer } from '@gantry/core/contracts';
import type { LogMessage } from '@gantry/lib-log';
import { renderTag, selectedAttributes } from '@gantry/lib-log/options';
import { Encoder, ExtData } from '@msgpack/msgpack';

/** The extension type that a time with nanoseconds is. */
const eventTimeType = 0;

interface RecordFormatOptions {
  readonly isPrecise: boolean;
}

/** Writes lines as events of the forward protocol. */
export class RecordFormat {
  readonly tag: string;
  readonly #common: Readonly<Record<string, string>>;
  readonly #encoder = new Encoder();
  readonly #isPrecise: boolean;

  constructor(container: LogContainer, { isPrecise }: RecordFormatOptions) {
    const { id, name, options } = container;
    this.tag = renderTag(options.tag || '{{.ID}}', container);
    this.#common = { container_id: id, container_name: `/${name}`, ...selectedAttributes(container) };
    this.#isPrecise = isPrecise;
  }

  /** A message of many events. With a chunk's name, the server acknowledges it. */
  forward(messages: readonly LogMessage[], chunk: string | undefined): Uint8Array {
    const events = messages.map((message) => [this.#time(message.time), this.#record(message)]);
    const option = { size: events.length, ...(chunk !== undefined && { chunk }) };
    return this.#encoder.encode([this.tag, events, option]);
  }

  #time(time: bigint): number | ExtData {
    const seconds = Number(time / 1_000_000_000n);
    if (!this.#isPrecise) return seconds;
    const bytes = Buffer.alloc(8);
    bytes.writeUInt32BE(seconds, 0);
    bytes.writeUInt32BE(Number(time % 1_000_000_000n), 4);
    return new ExtData(eventTimeType, bytes);
  }

  #record({ stream, line, partial, piece }: LogMessage): Readonly<Record<string, string>> {
    const pieces = piece && {
      partial_message: 'true',
      partial_id: piece.id,
      partial_ordinal: `${piece.ordinal}`,
      partial_last: `${!partial}`,
    };
    return { ...this.#common, source: stream, log: line.toString(), ...pieces };
  }
}
