import { connect } from 'node:net';
import { messageOf, unavailable } from '@gantry/core/errors';
import type { DatagramSender, Datagrams } from '@gantry/lib-linux/datagrams';
import { isErrno } from '@gantry/lib-linux/errors';
import { type LogMessage, type Outlet, StreamLink } from '@gantry/lib-log';

/** A syslog daemon of this host, at the first of some sockets that is there: by datagrams, or by a stream if it is one. */
export class LocalOutlet implements Outlet {
  #sender: DatagramSender | undefined;
  #stream: StreamLink | undefined;

  constructor(
    private readonly datagrams: Datagrams,
    private readonly paths: readonly string[],
    private readonly bytes: (message: LogMessage) => Buffer,
  ) {}

  async send(messages: readonly LogMessage[], { signal }: { readonly signal: AbortSignal }): Promise<undefined> {
    if (this.#sender === undefined && this.#stream === undefined) this.#open();
    if (this.#stream !== undefined) {
      const lines = messages.flatMap((message) => [this.bytes(message), Buffer.from('\n')]);
      await this.#stream.send(Buffer.concat(lines), signal);
      return;
    }
    try {
      for (const message of messages) await this.#sender?.send(this.bytes(message), { signal });
    } catch (error) {
      this.#sender?.close();
      this.#sender = undefined;
      throw error;
    }
  }

  async close({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    this.#sender?.close();
    await this.#stream?.close(signal);
  }

  #open(): void {
    const failures: string[] = [];
    for (const path of this.paths) {
      try {
        this.#sender = this.datagrams.connect(path);
        return;
      } catch (error) {
        if (isErrno(error, 'EPROTOTYPE')) {
          this.#stream = new StreamLink({ name: `unix://${path}`, connect: () => connect(path) });
          return;
        }
        failures.push(messageOf(error));
      }
    }
    throw unavailable(`no syslog daemon: ${failures.join('; ')}`);
  }
}
