import type { LogContainer } from '@gantry/core/contracts';
import { EngineError } from '@gantry/core/errors';
import test from 'ava';
import { checkOptions, checkTag, parseAddress, parseBytes, parseDuration, parseInteger, renderTag } from './index.js';

const container: LogContainer = {
  id: 'f7c6f29e1e36'.padEnd(64, '0'),
  name: 'web',
  imageId: `sha256:${'ab'.repeat(32)}`,
  imageName: 'busybox:latest',
  command: ['sh', '-c', 'true'],
  createdAt: new Date(0),
  labels: { 'com.example.team': 'blue', tier: 'front' },
  env: ['STAGE=test'],
  options: { labels: 'tier', env: 'STAGE' },
  directory: '/nowhere',
};

for (const [template, text] of [
  ['plain', 'plain'],
  ['{{.ImageName}}/{{ .Name }}/{{.ID}}', 'busybox:latest/web/f7c6f29e1e36'],
  ['{{.FullID}}', container.id],
  ['{{.ImageID}}|{{.ImageFullID}}', `abababababab|sha256:${'ab'.repeat(32)}`],
  ['{{.Command}}@{{.DaemonName}}', 'sh -c true@docker'],
  ['{{.ContainerName}} {{.ContainerImageName}}', '/web busybox:latest'],
  ['{{(.ExtraAttributes nil).STAGE}}-{{(.ExtraAttributes nil).tier}}-{{(.ExtraAttributes nil).none}}', 'test-front-'],
  ['{{index .ContainerLabels "com.example.team"}}', 'blue'],
  ['{{upper .Name}}-{{.Name | title}}-{{ lower "A" }}', 'WEB-Web-a'],
  ['{{index (split .ImageName ":") 1}}', 'latest'],
  ['{{truncate (join (split .Command " ") "_") 6}}{{truncate .ID 4}}', 'sh_-c_f7c6'],
  ['{{json .ContainerLabels}}', '{"com.example.team":"blue","tier":"front"}'],
  ['{{json .Name}}{{pad .Name 1 2}}|', '"web" web  |'],
  ['{{.ContainerArgs}} {{.ContainerLabels.tier}} {{index .ContainerEnv 0}}', '[-c true] front STAGE=test'],
] as const) {
  test(`the tag ${template} is filled in`, (t) => {
    t.notThrows(() => checkTag(template));
    t.is(renderTag(template, container), text);
  });
}

test('addresses have a protocol, a host and a port, or a path', (t) => {
  const form = { schemes: ['udp', 'tcp', 'unix'], port: 514 };
  t.deepEqual(parseAddress('a', 'udp://host', form), { scheme: 'udp', host: 'host', port: 514 });
  t.deepEqual(parseAddress('a', 'TCP://[::1]:99', form), { scheme: 'tcp', host: '::1', port: 99 });
  t.deepEqual(parseAddress('a', 'unix:///dev/log', form), { scheme: 'unix', path: '/dev/log' });
  t.deepEqual(parseAddress('a', ':99', { ...form, scheme: 'tcp' }), { scheme: 'tcp', host: 'localhost', port: 99 });
  for (const text of ['', 'host', 'udp://', 'udp://host:', 'udp://host:x', 'udp://::1:99', 'ftp://host', 'unix://x']) {
    const error = t.throws(() => parseAddress('a', text, form), { message: /^log opt a: "/ });
    t.true(EngineError.is(error) && error.kind === 'invalid-argument');
  }
});

test('values are read, and refused by option and value', (t) => {
  t.is(parseDuration('a', '1m30s'), 90_000);
  t.is(parseDuration('a', '1.5s'), 1500);
  t.is(parseDuration('a', '250ms'), 250);
  t.is(parseBytes('a', '8m'), 8_000_000);
  t.is(parseInteger('a', '-1', -1, 9), -1);
  t.throws(() => parseDuration('a', '5'), { message: /log opt a: "5" is not a duration/ });
  t.throws(() => parseBytes('a', '0'), { message: "log opt a: invalid size: '0'" });
  t.throws(() => parseInteger('a', '1.5', 0), { message: /log opt a: "1.5" is not a whole number from 0 on/ });
});

test('options are checked by name and by what they have in common', (t) => {
  t.notThrows(() =>
    checkOptions({ own: '1', tag: '{{.ID}}', mode: 'non-blocking', 'max-buffer-size': '1m' }, 'x', ['own']),
  );
  for (const [options, message] of [
    [{ other: '1' }, "unknown log opt 'other' for x log driver"],
    [{ mode: 'fast' }, 'logger: logging mode not supported: fast'],
    [{ tag: '{{.Who}}' }, /log opt tag: can't evaluate ".Who"/],
    [{ tag: '{{shout .Name}}' }, /can't evaluate "shout .Name".* upper$/],
    [{ tag: '{{truncate .Name}}' }, /can't evaluate "truncate .Name"/],
    [{ tag: '{{join .Name "-"}}' }, /log opt tag: ".*": a function wants a list/],
    [{ tag: '{{.ID' }, /log opt tag: "\{\{\.ID": unclosed action/],
    [{ 'env-regex': '[' }, /log opt env-regex: error parsing regexp/],
  ] as const) {
    t.throws(() => checkOptions(options, 'x', ['env-regex']), { message });
  }
});
