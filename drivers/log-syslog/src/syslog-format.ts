import type { LogMessage } from '@gantry/lib-log';
import type { SyslogSettings } from './options.js';

interface Identity {
  readonly hostname: string;
  readonly tag: string;
  readonly pid: number;
}

/** Of the kinds of message, those that a container's two streams are. */
const severities = { stdout: 6, stderr: 3 };
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Writes lines as syslog messages. RFC 3164 has local time, RFC 5424 says its zone. */
export class SyslogFormat {
  readonly #settings: SyslogSettings;
  readonly #identity: Identity;

  constructor(settings: SyslogSettings, identity: Identity) {
    this.#settings = settings;
    this.#identity = identity;
  }

  bytes({ stream, time, line }: LogMessage): Buffer {
    return Buffer.concat([Buffer.from(this.#header(severities[stream], time)), line]);
  }

  #header(severity: number, time: bigint): string {
    const { facility, format } = this.#settings;
    const { hostname, tag, pid } = this.#identity;
    const priority = `<${facility * 8 + severity}>`;
    if (format === '' || format === 'rfc3164') {
      const host = format === '' ? '' : `${hostname} `;
      return `${priority}${localTime(time)} ${host}${tag}[${pid}]: `;
    }
    const at = zonedTime(time, format === 'rfc5424micro' ? 6 : 0);
    const name = nameOf(tag);
    return `${priority}1 ${at} ${nameOf(hostname, 255)} ${name} ${pid} ${name} - `;
  }
}

const two = (number: number): string => `${number}`.padStart(2, '0');
const dateOf = (time: bigint): Date => new Date(Number(time / 1_000_000n));
const clock = (date: Date): string => `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;

/** `Jan  2 15:04:05`. */
function localTime(time: bigint): string {
  const date = dateOf(time);
  return `${months[date.getMonth()]} ${`${date.getDate()}`.padStart(2)} ${clock(date)}`;
}

/** RFC 3339 with so many decimals, in the zone of this host. */
function zonedTime(time: bigint, decimals: number): string {
  const date = dateOf(time);
  const fraction = decimals === 0 ? '' : `.${`${time % 1_000_000_000n}`.padStart(9, '0').slice(0, decimals)}`;
  const offset = -date.getTimezoneOffset();
  const zone = `${offset < 0 ? '-' : '+'}${two(Math.trunc(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`;
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${clock(date)}${fraction}${offset === 0 ? 'Z' : zone}`;
}

/** A name as RFC 5424 has them: printable, without blanks, and not too long. */
const nameOf = (text: string, longest = 48): string => text.replace(/[^\x21-\x7e]/g, '_').slice(0, longest) || '-';
