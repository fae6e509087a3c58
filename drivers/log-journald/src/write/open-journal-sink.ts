import type { LogContainer, LogSink } from '@gantry/core/contracts';
import type { DatagramSender, Datagrams } from '@gantry/lib-linux/datagrams';
import { isErrno } from '@gantry/lib-linux/errors';
import { DeliveringSink, type LogMessage, type Outlet } from '@gantry/lib-log';
import { EntryFormat } from './entry.js';

/** An entry this large may be no datagram: the kernel's default bound is a little over 200 KiB. */
const large = 128 * 1024;

export const openJournalSink = (container: LogContainer, socket: string, datagrams: Datagrams): Promise<LogSink> =>
  DeliveringSink.open(container, { driver: 'journald' }, ({ epoch }) => {
    return new JournalOutlet(datagrams, socket, new EntryFormat(container, epoch));
  });

/** Entries in the journal's native protocol, one a datagram. */
class JournalOutlet implements Outlet {
  #sender: DatagramSender | undefined;

  constructor(
    private readonly datagrams: Datagrams,
    private readonly socket: string,
    private readonly format: EntryFormat,
  ) {}

  async send(messages: readonly LogMessage[], options: { readonly signal: AbortSignal }): Promise<undefined> {
    try {
      this.#sender ??= this.datagrams.connect(this.socket);
      for (const message of messages) await deliver(this.#sender, this.format.bytes(message), options);
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#sender?.close();
    this.#sender = undefined;
  }
}

async function deliver(sender: DatagramSender, entry: Buffer, options: { readonly signal: AbortSignal }) {
  try {
    if (entry.length <= large) return await sender.send(entry, options);
  } catch (error) {
    if (!isErrno(error, 'EMSGSIZE')) throw error;
  }
  await sender.sendMemory(entry, options);
}
