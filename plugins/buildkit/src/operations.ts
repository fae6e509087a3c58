import type { Operations } from '@gantry/core/http';

const upgraded = { 101: { type: 'application/grpc', note: 'HTTP/2 on the connection, after an upgrade to h2c' } };

/** What the routes of BuildKit do. Its protocol is gRPC, which no schema of this document describes. */
export const operations: Operations = {
  'POST /grpc': { summary: 'Serves the control service of BuildKit', answers: upgraded },
  'POST /session': { summary: 'Takes a client as session of a build', answers: upgraded },
};
