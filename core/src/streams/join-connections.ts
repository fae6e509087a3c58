import type { Duplex } from 'node:stream';

/** Milliseconds that a connection has to end by itself, once everything was sent to it. */
const endLimit = 5_000;

/** Connects two connections: the end of one is the end of the other, after everything that came before it. */
export function joinConnections(one: Duplex, other: Duplex): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.on('error', () => to.destroy());
    from.once('close', () => {
      if (from.readableEnded) endAfterSending(to);
      else to.destroy();
    });
    from.pipe(to);
  }
}

/** Its end was requested. To destroy it at once would lose what is still to be sent. */
function endAfterSending(connection: Duplex): void {
  const destroyLater = (): void => {
    const timer = setTimeout(() => connection.destroy(), endLimit).unref();
    connection.once('close', () => clearTimeout(timer));
  };
  if (connection.writableFinished) destroyLater();
  else connection.once('finish', destroyLater);
  connection.resume(); // what still comes goes nowhere, but its end has to be seen
}
