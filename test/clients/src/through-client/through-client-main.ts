import { once } from 'node:events';
import { ClientGateway } from './client-gateway.js';

// `npm run through-client -- ENGINE-SOCKET SOCKET`: until it is ended, any suite for the API may ask at the second socket. What
// the client was used for, and what the document lacks, is written at the end.
const [engineSocket, socket] = process.argv.slice(2);
if (engineSocket === undefined || socket === undefined) {
  process.stderr.write('usage: npm run through-client -- ENGINE-SOCKET SOCKET\n');
  process.exit(2);
}
const gateway = await ClientGateway.start(engineSocket, socket);
process.stdout.write(`requests at ${socket} go to ${engineSocket} by gantry-client\n`);
await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
await gateway.stop();
process.stdout.write(`${JSON.stringify(gateway.report(), null, 2)}\n`);
