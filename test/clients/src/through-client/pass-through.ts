import { type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import { pipeline } from 'node:stream/promises';

/** Has the engine answer a request as it came. */
export function passThrough(socketPath: string, request: IncomingMessage, response: ServerResponse): void {
  const { method, url, headers } = request;
  const outgoing = send({ socketPath, method, path: url, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    void pipeline(answer, response).catch(() => response.destroy());
  });
  outgoing.on('error', () => response.destroy());
  void pipeline(request, outgoing).catch(() => outgoing.destroy());
}
