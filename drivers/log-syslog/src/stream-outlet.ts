import { connect, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { type LogMessage, type Outlet, StreamLink, secureOptions } from '@gantry/lib-log';
import type { HostAddress, LogOptions } from '@gantry/lib-log/options';

interface StreamOutletOptions {
  readonly address: HostAddress;
  readonly options: LogOptions;
  /** Each message has its length in front, as RFC 5425 asks for; otherwise it ends with a newline. */
  readonly isCounted: boolean;
  bytes(message: LogMessage): Buffer;
}

/** Syslog over TCP and TLS. */
export class StreamOutlet implements Outlet {
  readonly #link: StreamLink;
  readonly #options: StreamOutletOptions;

  constructor(options: StreamOutletOptions) {
    this.#options = options;
    const { address } = options;
    this.#link = new StreamLink({
      name: `${address.scheme}://${address.host}:${address.port}`,
      connect: () => this.#connect(),
      ...(address.scheme === 'tcp+tls' && { readyEvent: 'secureConnect' }),
    });
  }

  async send(messages: readonly LogMessage[], { signal }: { readonly signal: AbortSignal }): Promise<undefined> {
    await this.#link.send(Buffer.concat(messages.flatMap((message) => this.#framed(message))), signal);
  }

  close({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    return this.#link.close(signal);
  }

  #framed(message: LogMessage): Buffer[] {
    const bytes = this.#options.bytes(message);
    return this.#options.isCounted ? [Buffer.from(`${bytes.length} `), bytes] : [bytes, Buffer.from('\n')];
  }

  async #connect(): Promise<Socket> {
    const { address, options } = this.#options;
    const { host, port, scheme } = address;
    if (scheme === 'tcp') return connect({ host, port });
    const secure = await secureOptions(options, {
      authority: 'syslog-tls-ca-cert',
      certificate: 'syslog-tls-cert',
      key: 'syslog-tls-key',
      skipVerify: 'syslog-tls-skip-verify',
    });
    return connectSecurely({ host, port, ...secure });
  }
}
