import type { Machine, Program } from './memory-process.js';
import { programs } from './programs.js';
import { type Command, parseScript } from './shell-parser.js';

/** Ends a script with a code. */
class Exit {
  constructor(readonly code: number) {}
}

/** `sh -c SCRIPT`, or a script line by line from stdin. */
export const shell: Program = async (machine) => {
  const [, option, script, ...parameters] = machine.args;
  try {
    if (option === '-c') return await runScript(machine, script ?? '', parameters);
    let code = 0;
    for (let line = await machine.readLine(); line !== undefined; line = await machine.readLine()) {
      code = await runScript(machine, line.replace(/\r$/, ''), []);
    }
    return code;
  } catch (error) {
    if (error instanceof Exit) return error.code;
    throw error;
  }
};

async function runScript(machine: Machine, script: string, parameters: readonly string[]): Promise<number> {
  let code = 0;
  for (const command of parseScript(script)) {
    const isWanted = command.after === ';' || (command.after === '&&') === (code === 0);
    if (isWanted) code = await runCommand(machine, command, parameters, code);
    for (let signal = machine.pending.shift(); signal !== undefined; signal = machine.pending.shift()) {
      await runScript(machine, machine.traps.get(signal) ?? '', []);
    }
  }
  return code;
}

async function runCommand(
  machine: Machine,
  command: Command,
  parameters: readonly string[],
  lastCode: number,
): Promise<number> {
  const variables = { machine, parameters, lastCode };
  const args = command.words.map((word) => expand(word, variables)).filter((arg) => arg !== undefined);
  const [name, ...rest] = args;
  if (name === undefined) return 0;
  const [, variable, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(name) ?? [];
  if (variable !== undefined && rest.length === 0) {
    machine.env.set(variable, value ?? '');
    return 0;
  }
  const inner: Machine = {
    ...machine,
    args,
    get size() {
      return machine.size;
    },
    write: (stream, text) => machine.write(command.toStderr ? 'stderr' : stream, text),
  };
  return runNamed(inner, name, rest);
}

async function runNamed(machine: Machine, name: string, rest: readonly string[]): Promise<number> {
  switch (name) {
    case ':':
      return 0;
    case 'exit':
      throw new Exit(Number(rest[0] ?? 0) & 0xff);
    case 'exec':
      throw new Exit(await runNamed({ ...machine, args: rest }, rest[0] ?? 'true', rest.slice(1)));
    case 'trap':
      machine.traps.set(signalNumbers[(rest[1] ?? '').replace(/^SIG/, '')] ?? Number(rest[1]), rest[0] ?? '');
      return 0;
    case 'read': {
      const line = await machine.readLine();
      machine.env.set(rest[0] ?? 'REPLY', line ?? '');
      return line === undefined ? 1 : 0;
    }
    default: {
      const program = programs.get(name.replace(/^\/(usr\/)?s?bin\//, ''));
      if (program !== undefined) return program(machine);
      await machine.write('stderr', `sh: ${name}: not found\n`);
      return 127;
    }
  }
}

const signalNumbers: Readonly<Record<string, number>> = { HUP: 1, INT: 2, QUIT: 3, USR1: 10, USR2: 12, TERM: 15 };

interface Variables {
  readonly machine: Machine;
  readonly parameters: readonly string[];
  readonly lastCode: number;
}

/** Undefined for a word that vanishes because nothing is in it and nothing quotes it. */
function expand(word: Command['words'][number], { machine, parameters, lastCode }: Variables): string | undefined {
  const variable = (name: string): string => {
    if (name === '$') return String(machine.pid);
    if (name === '?') return String(lastCode);
    if (/^\d$/.test(name)) return name === '0' ? 'sh' : (parameters[Number(name)] ?? '');
    return machine.env.get(name) ?? '';
  };
  const text = word
    .map(({ text: part, isLiteral }) =>
      isLiteral
        ? part
        : part.replace(/\$(?:\{(\w+)\}|([A-Za-z_]\w*|[$?\d]))/g, (_, braced: string, bare: string) =>
            variable(braced ?? bare),
          ),
    )
    .join('');
  return text === '' && !word.some(({ isQuoted }) => isQuoted) ? undefined : text;
}
