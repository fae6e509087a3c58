import { parseArgs } from 'node:util';
import { askOperator, defaultOperatorSocket, type Row, textTable } from '@gantry/hosted-api/service';

const usage = [
  'usage: gantry-import repository create OWNER/NAME [--public] [--maintainers LOGIN,LOGIN]',
  '       gantry-import repository list',
  '       gantry-import repository workflows OWNER/NAME on|off',
  '       gantry-import import list',
  '       gantry-import maintenance on|off|show',
  '',
  "  --socket PATH   of the running daemon's hosted API; default /run/gantry/plugins/hosted-api/operator.sock",
  '  --json          prints what the daemon answers',
].join('\n');

const columns = ['id', 'repository', 'private', 'workflows', 'maintainers'];

/** Asks a running daemon about repositories and imports. Resolves to what is to be printed; rejects with one line. */
export async function runCommand(args: readonly string[]): Promise<string> {
  const value = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { socket: value, maintainers: value, public: flag, json: flag, help: { ...flag, short: 'h' } },
  });
  const ask = (method: string, path: string, body?: object) =>
    askOperator(values.socket ?? defaultOperatorSocket, method, path, body);
  const show = (answer: unknown, shown: readonly string[]): string =>
    values.json === true ? JSON.stringify(answer, undefined, 2) : textTable(answer as readonly Row[], shown);
  const [area = '', verb = '', name = '', setting = ''] = positionals;
  switch (`${area} ${verb}`) {
    case 'repository create': {
      const asked = { ...splitName(name), private: values.public !== true, maintainers: values.maintainers };
      return show([await ask('POST', '/import-repositories', asked)], columns);
    }
    case 'repository list':
      return show(await ask('GET', '/import-repositories'), columns);
    case 'repository workflows': {
      const { owner, name: repository } = splitName(name);
      const path = `/import-repositories/${encodeURIComponent(owner)}/${encodeURIComponent(repository)}`;
      return show([await ask('PATCH', path, { workflows: isOn(setting) })], columns);
    }
    case 'import list':
      return show(await ask('GET', '/imports'), ['id', 'repository', 'status', 'url', 'updated_at']);
    case 'maintenance on':
    case 'maintenance off':
      return onOff(await ask('PUT', '/import-maintenance', { on: isOn(verb) }));
    case 'maintenance show':
      return onOff(await ask('GET', '/import-maintenance'));
    default:
      if (values.help === true) return usage;
      throw new Error(`"${positionals.join(' ')}" is no command\n${usage}`);
  }
}

function splitName(text: string): { readonly owner: string; readonly name: string } {
  const [owner = '', name = '', ...more] = text.split('/');
  if (owner === '' || name === '' || more.length > 0) throw new Error(`"${text}" is no name such as octavia/tools`);
  return { owner, name };
}

function isOn(text: string): boolean {
  if (text === 'on' || text === 'off') return text === 'on';
  throw new Error(`"${text}" is neither on nor off`);
}

const onOff = (answer: unknown): string => ((answer as Row).on === true ? 'on' : 'off');
