import type { ProcessTable } from '@gantry/core/contracts';
import { invalidArgument } from '@gantry/core/errors';

interface Listed {
  readonly pid: number;
  readonly args: readonly string[];
}

interface Column {
  readonly title: string;
  readonly of: (process: Listed) => string;
}

const columns: Readonly<Record<string, Column>> = {
  user: { title: 'USER', of: () => 'root' },
  uid: { title: 'UID', of: () => 'root' },
  pid: { title: 'PID', of: ({ pid }) => String(pid) },
  ppid: { title: 'PPID', of: () => '0' },
  c: { title: 'C', of: () => '0' },
  stime: { title: 'STIME', of: () => '00:00' },
  tty: { title: 'TTY', of: () => '?' },
  time: { title: 'TIME', of: () => '00:00:00' },
  comm: { title: 'COMMAND', of: ({ args }) => args[0] ?? '' },
  args: { title: 'COMMAND', of: ({ args }) => args.join(' ') },
  cmd: { title: 'CMD', of: ({ args }) => args.join(' ') },
};

const full = 'uid,pid,ppid,c,stime,tty,time,cmd';

/** A little of ps(1): `-ef`, and `-o` with a list. */
export function processTable(processes: readonly Listed[], args: readonly string[]): ProcessTable {
  const [option, list = ''] = args;
  if (option !== '-ef' && option !== '-o') throw invalidArgument(`ps: error: unknown option ${option ?? ''}`);
  const chosen = (option === '-ef' ? full : list).split(',').map((name) => {
    const column = columns[name];
    if (column === undefined) throw invalidArgument(`ps: error: unknown user-defined format specifier "${name}"`);
    return column;
  });
  const titles = chosen.map(({ title }) => title);
  if (!titles.includes('PID')) throw invalidArgument("Couldn't find PID field in ps output");
  return { titles, processes: processes.map((process) => chosen.map((column) => column.of(process))) };
}
