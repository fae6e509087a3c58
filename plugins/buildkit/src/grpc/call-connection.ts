import { Duplex } from 'node:stream';
import type { ClientCall } from './grpc-client.js';

/** The bytes that the messages of a call carry, as a connection. */
export function callConnection(call: ClientCall): Duplex {
  const messages = call.messages();
  return new Duplex({
    read() {
      messages.next().then(
        ({ value, done }) => {
          if (done === true) this.push(null);
          else if (!this.push((value as { readonly data: Uint8Array }).data)) return;
          else if ((value as { readonly data: Uint8Array }).data.length === 0) this.read(0);
        },
        (error: Error) => this.destroy(error),
      );
    },
    write(data: Buffer, _encoding, done) {
      call.write({ data }).then(() => done(), done);
    },
    final(done) {
      call.end();
      done();
    },
    destroy(error, done) {
      call.cancel();
      done(error);
    },
  });
}
