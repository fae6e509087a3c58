import type { Machine, Program } from './memory-process.js';
import { shell } from './shell.js';

const echo: Program = async (machine) => {
  const [, first, ...rest] = machine.args;
  const isBare = first === '-n';
  const words = isBare ? rest : machine.args.slice(1);
  await machine.write('stdout', words.join(' ') + (isBare ? '' : '\n'));
  return 0;
};

const printf: Program = async (machine) => {
  const [, format = '', ...values] = machine.args;
  const text = format
    .replace(/%s/g, () => values.shift() ?? '')
    .replace(/\\n/g, '\n')
    .replace(/\\t/g, '\t');
  await machine.write('stdout', text);
  return 0;
};

const sleep: Program = async (machine) => {
  const seconds = Number(machine.args[1]);
  if (Number.isNaN(seconds)) return complain(machine, `sleep: invalid number '${machine.args[1] ?? ''}'`);
  await machine.sleep(seconds * 1000);
  return 0;
};

const cat: Program = async (machine) => {
  const [, file] = machine.args;
  if (file !== undefined && file !== '-') {
    return complain(machine, `cat: can't open '${file}': No such file or directory`);
  }
  for (let chunk = await machine.read(); chunk !== undefined; chunk = await machine.read()) {
    await machine.write('stdout', chunk);
  }
  return 0;
};

const wc: Program = async (machine) => {
  let bytes = 0;
  for (let chunk = await machine.read(); chunk !== undefined; chunk = await machine.read()) bytes += chunk.length;
  await machine.write('stdout', `${bytes}\n`);
  return 0;
};

const stty: Program = async (machine) => {
  if (!machine.terminal) return complain(machine, 'stty: standard input: Not a tty');
  await machine.write('stdout', `${machine.size.height} ${machine.size.width}\n`);
  return 0;
};

const env: Program = async (machine) => {
  await machine.write('stdout', [...machine.env].map(([name, value]) => `${name}=${value}\n`).join(''));
  return 0;
};

const say =
  (what: (machine: Machine) => string): Program =>
  async (machine) => {
    await machine.write('stdout', `${what(machine)}\n`);
    return 0;
  };

async function complain(machine: Machine, words: string): Promise<number> {
  await machine.write('stderr', `${words}\n`);
  return 1;
}

/** What can be run, by name. */
export const programs: ReadonlyMap<string, Program> = new Map<string, Program>([
  ['true', async () => 0],
  ['false', async () => 1],
  ['echo', echo],
  ['printf', printf],
  ['sleep', sleep],
  ['cat', cat],
  ['wc', wc],
  ['stty', stty],
  ['env', env],
  ['pwd', say(({ cwd }) => cwd)],
  ['hostname', say(({ hostname }) => hostname)],
  ['sh', (machine) => shell(machine)],
  ['ash', (machine) => shell(machine)],
  ['bash', (machine) => shell(machine)],
]);
