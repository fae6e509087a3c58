import test from 'ava';
import { parseMemoryKills } from './ring-buffer-log.js';

const line = (task: string): string =>
  `<6>[  239.436525] oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=one.scope,mems_allowed=0,` +
  `oom_memcg=/a.slice,task_memcg=/a.slice/one.scope,task=${task},pid=1234,uid=0\n`;

test('the cgroups and the numbers of killed processes are read from the log of the kernel', (t) => {
  const killed = { cgroup: '/a.slice/one.scope', pid: 1234 };
  const other = '<4>[   12.000001] gt4ez6: port 2 entered disabled state\n';
  t.deepEqual(parseMemoryKills(`${other}${line('sh')}${other}${line('a,pid=1,uid=0')}`), [killed, killed]);
  t.deepEqual(parseMemoryKills(line('sh').replace('[  239.436525] ', '')), [killed], 'without times');
  t.deepEqual(parseMemoryKills(line('sh').replace('<6>', '<12>')), [], 'a program wrote the line');
});
