import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Row } from './text-table.js';

/** The default path of the operator's socket. */
export const defaultOperatorSocket = '/run/gantry/plugins/hosted-api/operator.sock';

/** Sends a request to a running daemon's operator socket. Rejects with a one-line message for a terminal. */
export function askOperator(socketPath: string, method: string, path: string, body?: object): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const asked = request({ socketPath, method, path, agent: false, headers: { Host: 'operator' } });
    asked.once('error', (cause) => {
      reject(new Error(`no daemon with the hosted API answers at ${socketPath}: ${cause.message}`, { cause }));
    });
    asked.once('response', (response) => {
      const failed = (response.statusCode ?? 500) >= 400;
      text(response)
        .then((answer) => {
          const value: unknown = answer === '' ? undefined : JSON.parse(answer);
          if (failed) reject(new Error(reasonOf(value as Row)));
          else resolve(value);
        })
        .catch(reject);
    });
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

function reasonOf({ message, errors = [] }: Row): string {
  const details = (errors as readonly Row[]).map(({ field, message, code }) => `${field}: ${message ?? code}`);
  return [message, ...details].join('; ');
}
