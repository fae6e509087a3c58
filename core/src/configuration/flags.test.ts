import test from 'ava';
import { applySettings, parseFlags } from './flags.js';

test('flags become settings of the configuration', (t) => {
  const invocation = parseFlags(['--data-root', '/d', '-H', 'unix:///a.sock', '--host', 'unix:///b.sock']);
  if (invocation.action !== 'run') return t.fail();
  t.deepEqual(applySettings({}, invocation.settings), {
    dataRoot: '/d',
    plugins: { 'engine-api': { hosts: ['unix:///a.sock', 'unix:///b.sock'] } },
  });
});

test('a key in both the file and the flags is refused with its name', (t) => {
  const invocation = parseFlags(['--data-root', '/d']);
  if (invocation.action !== 'run') return t.fail();
  t.throws(() => applySettings({ dataRoot: '/e' }, invocation.settings), {
    message: 'dataRoot is given both by the flag --data-root and in the configuration file; leave one out',
  });
});

test('an unknown flag is refused', (t) => {
  t.throws(() => parseFlags(['--nonsense']), { message: /--nonsense.*see gantryd --help/ });
});
