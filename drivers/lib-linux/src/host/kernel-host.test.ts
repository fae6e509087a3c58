import { readFileSync } from 'node:fs';
import test from 'ava';
import { isClockSynchronized } from './is-clock-synchronized.js';
import { countOfList, kernelHost, parseOsRelease } from './kernel-host.js';

test('the facts of this host', async (t) => {
  const facts = await kernelHost.facts();
  t.true(facts.totalMemory > 2 ** 20);
  t.true(facts.cpus >= 1);
  t.regex(facts.bootId, /^[0-9a-f-]{36}$/);
  t.is(facts.kernelRelease, readFileSync('/proc/sys/kernel/osrelease', 'utf8').trim());
  t.true(facts.operatingSystem.length > 0);
});

test('CPU time and uptime increase', async (t) => {
  const [cpu, up] = [await kernelHost.systemCpuTime(), await kernelHost.uptime()];
  t.true(cpu > 0);
  while ((await kernelHost.systemCpuTime()) === cpu) await new Promise((resolve) => setTimeout(resolve, 5));
  t.true((await kernelHost.uptime()) >= up);
});

test('os-release is read with its quotes', (t) => {
  const text = '# comment\nNAME=Plain\nPRETTY_NAME="An \\"odd\\" one \\$5"\nVERSION_ID=\'1.0\'\nEMPTY=\nrubbish line\n';
  t.deepEqual(Object.fromEntries(parseOsRelease(text)), {
    NAME: 'Plain',
    PRETTY_NAME: 'An "odd" one $5',
    VERSION_ID: '1.0',
    EMPTY: '',
  });
});

test('lists of CPUs are counted', (t) => {
  t.is(countOfList('0'), 1);
  t.is(countOfList('0-3,7'), 5);
  t.is(countOfList(''), 0);
});

test('the kernel says whether something keeps the clock', (t) => {
  t.is(typeof isClockSynchronized(), 'boolean');
});
