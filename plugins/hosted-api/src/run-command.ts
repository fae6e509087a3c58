import { parseArgs } from 'node:util';
import { askOperator, defaultOperatorSocket } from './operator-client.js';
import { type Row, textTable } from './text-table.js';

const usage = [
  'usage: gantry-hosted token create --user LOGIN --scopes notifications,repo [--note TEXT] [--expires-in-days N]',
  '       gantry-hosted token list',
  '       gantry-hosted token revoke ID',
  '       gantry-hosted user add LOGIN',
  '       gantry-hosted user list',
  '',
  '  --socket PATH   of the running daemon; default /run/gantry/plugins/hosted-api/operator.sock',
  '  --json          prints what the daemon answers',
].join('\n');

/** Runs one `gantry-hosted` command. Resolves to its output; rejects with a one-line message. */
export async function runCommand(args: readonly string[]): Promise<string> {
  const value = { type: 'string' } as const;
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      ...{ socket: value, user: value, scopes: value, note: value, 'expires-in-days': value },
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const ask = (method: string, path: string, body?: object) =>
    askOperator(values.socket ?? defaultOperatorSocket, method, path, body);
  const show = (answer: unknown, columns: readonly string[]): string =>
    values.json === true ? JSON.stringify(answer, undefined, 2) : textTable(answer as readonly Row[], columns);
  const days = values['expires-in-days'];
  switch (positionals.slice(0, 2).join(' ')) {
    case 'token create': {
      const scopes = values.scopes?.split(',').map((scope) => scope.trim());
      const asked = { user: values.user, scopes, note: values.note, expires_in_days: days && Number(days) };
      const answer = (await ask('POST', '/tokens', asked)) as Row;
      return values.json === true ? JSON.stringify(answer, undefined, 2) : String(answer.token);
    }
    case 'token list':
      return show(await ask('GET', '/tokens'), ['id', 'user', 'scopes', 'note', 'created_at', 'expires_at']);
    case 'token revoke':
      await ask('DELETE', `/tokens/${encodeURIComponent(positionals[2] ?? '')}`);
      return 'revoked';
    case 'user add':
      return show([await ask('POST', '/users', { login: positionals[2] })], ['id', 'login']);
    case 'user list':
      return show(await ask('GET', '/users'), ['id', 'login']);
    default:
      if (values.help === true) return usage;
      throw new Error(`"${positionals.join(' ')}" is no command\n${usage}`);
  }
}
