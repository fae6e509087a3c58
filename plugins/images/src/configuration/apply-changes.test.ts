import test from 'ava';
import { applyChanges, parseCommand, parseDuration, splitWords } from './apply-changes.js';

const cases: readonly (readonly [lines: readonly string[], expected: object])[] = [
  [['CMD ["a","b"]'], { Cmd: ['a', 'b'] }],
  [['CMD a b'], { Cmd: ['/bin/sh', '-c', 'a b'] }],
  [['SHELL ["/bin/bash", "-c"]', 'cmd a'], { Shell: ['/bin/bash', '-c'], Cmd: ['/bin/bash', '-c', 'a'] }],
  [['ENTRYPOINT ["e"]'], { Entrypoint: ['e'] }],
  [['ENV X=y', 'ENV X=z Y="a b"', 'ENV OLD the rest of it'], { Env: ['X=z', 'Y=a b', 'OLD=the rest of it'] }],
  [
    ['EXPOSE 99 53/UDP 80-82'],
    { ExposedPorts: { '99/tcp': {}, '53/udp': {}, '80/tcp': {}, '81/tcp': {}, '82/tcp': {} } },
  ],
  [['LABEL k=v "a b"=c'], { Labels: { k: 'v', 'a b': 'c' } }],
  [['USER 7'], { User: '7' }],
  [['WORKDIR /q', 'WORKDIR r'], { WorkingDir: '/q/r' }],
  [['VOLUME /vol /two', 'VOLUME ["/three"]'], { Volumes: { '/vol': {}, '/two': {}, '/three': {} } }],
  [['ONBUILD RUN true'], { OnBuild: ['RUN true'] }],
  [['STOPSIGNAL SIGINT'], { StopSignal: 'SIGINT' }],
  [['HEALTHCHECK NONE'], { Healthcheck: { Test: ['NONE'] } }],
  [
    ['HEALTHCHECK --interval=1m30s --retries=3 CMD curl -f x'],
    { Healthcheck: { Test: ['CMD-SHELL', 'curl -f x'], Interval: 90_000_000_000, Retries: 3 } },
  ],
  [['# a comment', '', 'USER x\nCMD ["y"]'], { User: 'x', Cmd: ['y'] }],
];

for (const [lines, expected] of cases) {
  test(`${lines.join(' and ')} is applied`, (t) => {
    t.deepEqual(applyChanges({}, lines), expected);
  });
}

for (const line of [
  'RUN true',
  'ENV X',
  'EXPOSE web',
  'EXPOSE 70000',
  'EXPOSE 9-8',
  'HEALTHCHECK now',
  'LABEL =x',
  'CMD',
  'nonsense',
]) {
  test(`"${line}" is refused, and the error names it`, (t) => {
    const error = t.throws(() => applyChanges({}, [line]));
    t.like(error, { kind: 'invalid-argument' });
    t.true(error?.message.includes(line.split(' ')[1] ?? line), error?.message);
  });
}

test('quotes and backslashes keep words together', (t) => {
  t.deepEqual(splitWords(`a "b c" 'd e' f\\ g h"i j"k`), ['a', 'b c', 'd e', 'f g', 'hi jk']);
});

test('a list that is not JSON is a shell command', (t) => {
  t.deepEqual(parseCommand('[ -f x ]'), ['/bin/sh', '-c', '[ -f x ]']);
});

test('durations add up, in nanoseconds', (t) => {
  t.is(parseDuration('x', '1h1m1.5s1ms'), 3_661_501_000_000);
  t.throws(() => parseDuration('--interval', '5'), { message: '--interval: "5" is not a duration such as 1m30s' });
});
