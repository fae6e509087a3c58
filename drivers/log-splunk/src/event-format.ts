import type { LogContainer } from '@gantry/core/contracts';
import type { LogMessage } from '@gantry/lib-log';
import { renderTag, selectedAttributes } from '@gantry/lib-log/options';
import type { SplunkSettings } from './options.js';

/** Writes lines as events of the HTTP event collector. */
export class EventFormat {
  readonly #format: SplunkSettings['format'];
  /** The event's own description: where it comes from, in Splunk's words. */
  readonly #common: Readonly<Record<string, unknown>>;
  readonly #tag: string;
  readonly #attributes: Readonly<Record<string, string>>;

  constructor(container: LogContainer, format: SplunkSettings['format'], hostname: string) {
    const { options } = container;
    this.#format = format;
    this.#tag = renderTag(options.tag ?? '{{.ID}}', container);
    this.#attributes = selectedAttributes(container);
    this.#common = {
      host: hostname,
      ...(options['splunk-source'] && { source: options['splunk-source'] }),
      ...(options['splunk-sourcetype'] && { sourcetype: options['splunk-sourcetype'] }),
      ...(options['splunk-index'] && { index: options['splunk-index'] }),
    };
  }

  /** JSON of one event; undefined for a line that Splunk would not take. */
  json({ stream, time, line }: LogMessage): string | undefined {
    const text = line.toString();
    const seconds = `${time / 1_000_000_000n}.${`${(time / 1000n) % 1_000_000n}`.padStart(6, '0')}`;
    const event = this.#format === 'raw' ? this.#raw(text) : this.#described(text, stream);
    return event === undefined ? undefined : JSON.stringify({ time: seconds, ...this.#common, event });
  }

  #described(text: string, source: string): DescribedEvent {
    const line = this.#format === 'json' ? jsonOr(text) : text;
    const hasAttributes = Object.keys(this.#attributes).length > 0;
    return {
      line,
      source,
      ...(this.#tag !== '' && { tag: this.#tag }),
      ...(hasAttributes && { attrs: this.#attributes }),
    };
  }

  /** Text with tag and attributes in front. An event of nothing but blanks is refused by the server. */
  #raw(text: string): string | undefined {
    if (text.trim() === '') return undefined;
    const pairs = Object.entries(this.#attributes).map(([key, value]) => `${key}=${value}`);
    return [...(this.#tag === '' ? [] : [this.#tag]), ...pairs, text].join(' ');
  }
}

interface DescribedEvent {
  /** The text, or the JSON it holds. */
  readonly line: unknown;
  readonly source: string;
  readonly tag?: string;
  readonly attrs?: Readonly<Record<string, string>>;
}

/** The text as JSON if it is some, and as it is if not. */
function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
