import test from 'ava';
import { decode, encode } from 'dns-packet';
import { answerLocally, datagramLimit, readQuestion, refusal, reversedAddress } from './answer.js';
import type { ContainerNames } from './container-names.js';

const names = {
  lookup: (name: string, family: 4 | 6) => (name === 'web' ? (family === 4 ? ['10.0.0.2'] : []) : undefined),
  reverse: (address: string) => (address === '10.0.0.2' ? 'web.front' : undefined),
  mayForward: () => false,
} as ContainerNames;

const ask = (name: string, type: 'A' | 'AAAA' | 'PTR' | 'MX') => {
  const packet = readQuestion(encode({ type: 'query', id: 7, flags: 0x100, questions: [{ name, type }] }));
  const answer = packet === undefined ? undefined : answerLocally(packet, names);
  return answer === undefined ? undefined : decode(answer);
};

test('a container is found by name', (t) => {
  t.like(ask('web', 'A'), { id: 7, answers: [{ type: 'A', data: '10.0.0.2' }] });
});

test('a known name without an IPv6 address has an empty answer and is not forwarded', (t) => {
  t.deepEqual(ask('web', 'AAAA')?.answers, []);
  t.deepEqual(ask('web', 'MX')?.answers, []);
});

test('an unknown name is not answered locally', (t) => {
  t.is(ask('example', 'A'), undefined);
});

test('a reverse lookup finds the container and its network', (t) => {
  t.like(ask('2.0.0.10.in-addr.arpa', 'PTR')?.answers, [{ type: 'PTR', data: 'web.front' }]);
});

test('a name longer than a DNS label allows is not answered', (t) => {
  const long = { ...names, reverse: () => `${'x'.repeat(64)}.front` } as unknown as ContainerNames;
  const packet = readQuestion(
    encode({ type: 'query', id: 7, questions: [{ name: '2.0.0.10.in-addr.arpa', type: 'PTR' }] }),
  );
  t.is(packet && answerLocally(packet, long), undefined);
});

test('an IPv6 address is read from its nibbles', (t) => {
  const nibbles = 'fd000000000000000000000000000002'.split('').reverse().join('.');
  t.is(reversedAddress(`${nibbles}.ip6.arpa`), 'fd00::2');
});

test('a refusal repeats the question and says server failure', (t) => {
  const packet = readQuestion(encode({ type: 'query', id: 9, questions: [{ name: 'x', type: 'A' }] }));
  if (packet === undefined) return t.fail();
  const answer = decode(refusal(packet, 'serverFailure'));
  t.is(answer.id, 9);
  t.is((answer.flags ?? 0) & 0xf, 2);
});

test('bytes that are not a DNS query are not answered', (t) => {
  t.is(readQuestion(Buffer.from('nonsense')), undefined);
});

test('an answer longer than the datagram limit is truncated and flagged', (t) => {
  const addresses = Array.from({ length: 60 }, (_, index) => `10.0.0.${index}`);
  const many = { ...names, lookup: () => addresses } as unknown as ContainerNames;
  for (const [additionals, least, limit] of [
    [[], 1, 512],
    [
      [
        {
          type: 'OPT',
          name: '.',
          udpPayloadSize: 4096,
          extendedRcode: 0,
          ednsVersion: 0,
          flags: 0,
          flag_do: false,
          options: [],
        },
      ],
      60,
      4096,
    ],
  ] as const) {
    const message = encode({
      type: 'query',
      id: 7,
      questions: [{ name: 'web', type: 'A' }],
      additionals: additionals.map((record) => ({ ...record, options: [] })),
    });
    const packet = readQuestion(message);
    if (packet === undefined) return t.fail();
    t.is(datagramLimit(packet), limit);
    const answer = answerLocally(packet, many, datagramLimit(packet)) ?? Buffer.alloc(0);
    const { answers = [], flag_tc: cut } = decode(answer);
    t.true(answer.length <= limit && answers.length >= least);
    t.is(cut, answers.length < addresses.length);
  }
});
