import test from 'ava';
import { JsonLineEncoder } from './json-line-encoder.js';

const at = '2026-11-21T11:16:39.824525060+00:00';

function encode(spool: string | Buffer, encoder = new JsonLineEncoder(), limit = Number.POSITIVE_INFINITY): string {
  let out = Buffer.alloc(encoder.minimumRoom + 1000);
  const bytes = typeof spool === 'string' ? Buffer.from(spool) : spool;
  let text = '';
  for (let from = 0; from < bytes.length; from = encoder.next) {
    encoder.encode(bytes, from, out, limit);
    text += out.toString('utf8', 0, encoder.written);
    if (encoder.next === from) {
      if (out.length > encoder.minimumRoom) break;
      out = Buffer.alloc(encoder.minimumRoom);
    }
  }
  return text;
}

test('a line becomes a JSON object in the key order that log shippers know', (t) => {
  t.is(
    encode(`${at} stdout F hello\n${at} stderr F \n`),
    '{"log":"hello\\n","stream":"stdout","time":"2026-11-21T11:16:39.824525060Z"}\n' +
      '{"log":"\\n","stream":"stderr","time":"2026-11-21T11:16:39.824525060Z"}\n',
  );
});

test('texts are escaped as Go does, byte by byte', (t) => {
  const text = Buffer.concat([
    Buffer.from('tab\there \x01 \x7f <&> \\ " é '),
    Buffer.from([0xff, 0xfe]),
    Buffer.from(' \u2028 \u2029 😀 '),
    Buffer.from([0xed, 0xa0, 0x80]),
    Buffer.from(' \r'),
  ]);
  t.is(
    encode(Buffer.concat([Buffer.from(`${at} stdout F `), text, Buffer.from('\n')])),
    '{"log":"tab\\u0009here \\u0001 \x7f \\u003c\\u0026\\u003e \\\\ \\" é \\ufffd\\ufffd \\u2028 \\u2029 😀 ' +
      '\\ufffd\\ufffd\\ufffd \\r\\n","stream":"stdout","time":"2026-11-21T11:16:39.824525060Z"}\n',
  );
});

test('only whole and shortest UTF-8 characters are let through', (t) => {
  const bad = ['c0af', 'e08080', 'f0808080', 'f4908080', 'f5808080', 'c3', 'e282', 'f09f98', '80', 'c328'];
  for (const hex of bad) {
    const line = Buffer.concat([Buffer.from(`${at} stdout F `), Buffer.from(hex, 'hex'), Buffer.from('\n')]);
    const expected = new TextDecoder().decode(Buffer.from(hex, 'hex'));
    const { log } = JSON.parse(encode(line));
    t.is(log.replaceAll('\ufffd', ''), `${expected.replaceAll('\ufffd', '')}\n`, hex);
    t.true(log.includes('\ufffd'), hex);
  }
});

test('attributes come between stream and time', (t) => {
  t.is(
    encode(`${at} stderr F a\n`, new JsonLineEncoder('{"A":"1"}')),
    '{"log":"a\\n","stream":"stderr","attrs":{"A":"1"},"time":"2026-11-21T11:16:39.824525060Z"}\n',
  );
});

test('times of other zones and precisions become UTC with nine digits', (t) => {
  const times = ['2026-11-21T11:16:39.8+05:30', '2026-11-21T23:30:00Z', '2026-12-31T23:30:00.000000001-01:00'];
  t.deepEqual(encode(times.map((time) => `${time} stdout F x\n`).join('')).match(/2\d+-[^"]*/g), [
    '2026-11-21T05:46:39.800000000Z',
    '2026-11-21T23:30:00.000000000Z',
    '2027-01-01T00:30:00.000000001Z',
  ]);
});

test('parts of a line are put together, apart for each stream, and over calls', (t) => {
  const encoder = new JsonLineEncoder();
  const first = encode(`${at} stdout P a\n${at} stderr P x\n${at} stdout P b\n`, encoder);
  t.is(first, '');
  const second = encode(`${at} stderr F y\n${at} stdout F \n${at} stdout F next\n`, encoder);
  t.deepEqual(second.match(/"log":"[^"]*"/g), ['"log":"xy\\n"', '"log":"ab\\n"', '"log":"next\\n"']);
  t.deepEqual(encoder.partial, [undefined, undefined]);
});

test('lines come out the same wherever the monitor cut them', (t) => {
  const text = Buffer.from('a é \u2028 😀 "b"\n\n<c>\n'.repeat(3)).toString('latin1');
  const cutEvery = (size: number): Buffer => {
    const reads = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
    const lines = reads.flatMap((read) => read.match(/[^\n]*\n|[^\n]+/g) ?? []);
    const spooled = lines.map((line) => `${at} stdout ${line.endsWith('\n') ? 'F' : 'P'} ${line.replace('\n', '')}\n`);
    return Buffer.from(spooled.join(''), 'latin1');
  };
  const uncut = encode(cutEvery(text.length));
  t.is(uncut.match(/😀/g)?.length, 3);
  for (const size of [1, 2, 3, 4, 5, 6, 7, 8, 9]) t.is(encode(cutEvery(size)), uncut, `${size}`);
});

for (const [what, pieces] of Object.entries({
  'plain text': ['a', 'text of some length', '\t', '.'],
  'text to be escaped': ['"', '\\\\', '<&>', '\r', '\u001b[0m', ' quoted ', '\x7f'],
  'text of all kinds': ['é', '\u2028', '😀', '"', 'some text', '\0'],
  'long lines': ['x'.repeat(8000), 'y"'.repeat(20), 'é'],
})) {
  test(`a batch is encoded as its lines are one by one: ${what}`, (t) => {
    const random = randomNumbers(20_261_121);
    const lines: Buffer[] = [];
    for (let size = 0; size < 2 ** 17; size += lines.at(-1)?.length ?? 0) {
      const text = Array.from({ length: random(6) }, () => pieces[random(pieces.length)]).join('');
      const tag = random(20) === 0 ? 'P' : 'F';
      const zone = random(200) === 0 ? '+01:00' : '+00:00';
      const time = `2026-11-21T11:16:39.${String(lines.length).padStart(9, '0')}${zone}`;
      lines.push(Buffer.from(`${time} ${random(4) === 0 ? 'stderr' : 'stdout'} ${tag} ${text}\n`));
    }
    const attributes = '{"tag":"quite a long one, to be copied in two"}';
    const oneByOne = new JsonLineEncoder(attributes);
    const out = Buffer.alloc(oneByOne.minimumRoom + 1000);
    const expected = lines
      .map((line) => {
        oneByOne.encode(line, 0, out, Number.POSITIVE_INFINITY);
        return out.toString('utf8', 0, oneByOne.written);
      })
      .join('');
    const spool = Buffer.concat(lines);
    for (const limit of [Number.POSITIVE_INFINITY, 20_000]) {
      t.true(encode(spool, new JsonLineEncoder(attributes), limit) === expected, `limit ${limit}`);
    }
  });
}

/** Below a limit, the same every time. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

test('a line over 16 KiB is cut into partial records of one time', (t) => {
  const later = '2026-11-21T11:16:40.000000000+00:00';
  const [one, two, three] = ['1', '2', '3'].map((digit) => digit.repeat(8192));
  const text = encode(
    `${at} stdout P ${one}\n${at} stdout P ${two}\n${later} stdout P ${three}\n${later} stdout F 4\n`,
  );
  const records = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  t.deepEqual(
    records.map(({ log }) => log),
    [`${one}${two}`, `${three}4\n`],
  );
  t.is(records[0].time, records[1].time);
  const whole = encode(`${at} stdout F ${'x'.repeat(40_000)}\n`);
  t.deepEqual(
    whole
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).log.length),
    [16384, 16384, 7233],
  );
});

test('a line of exactly 16 KiB is one record', (t) => {
  const text = encode(`${at} stdout F ${'x'.repeat(16384)}\n${at} stdout P ${'y'.repeat(16384)}\n${at} stdout F \n`);
  t.is(text.trimEnd().split('\n').length, 2);
});

test('what is no spool line is left out and counted; a last line without its end waits', (t) => {
  const encoder = new JsonLineEncoder();
  const text = encode(
    `rubbish\n\n${at} stdout F a\n${at} nowhere F b\n${at} stdout F c\n${at} stdout F unfini`,
    encoder,
  );
  t.deepEqual(text.match(/"log":"[^"]*"/g), ['"log":"a\\n"', '"log":"c\\n"']);
  t.is(encoder.malformed, 3);
});

test('encoding stops after the limit, at the end of a line', (t) => {
  const encoder = new JsonLineEncoder();
  const spool = Buffer.from(`${at} stdout F hello\n`.repeat(10));
  const out = Buffer.alloc(encoder.minimumRoom + 1000);
  encoder.encode(spool, 0, out, 100);
  t.is(out.toString('utf8', 0, encoder.written).split('\n').length - 1, 2);
  t.is(encoder.next, spool.length / 5);
});

test('flushing writes partial lines as records without a newline', (t) => {
  const encoder = new JsonLineEncoder();
  encode(`${at} stderr P no end\n`, encoder);
  const out = Buffer.alloc(encoder.minimumRoom);
  encoder.flush(out, Buffer.from('2026-11-21T12:00:00.000000000'));
  t.is(
    out.toString('utf8', 0, encoder.written),
    '{"log":"no end","stream":"stderr","time":"2026-11-21T12:00:00.000000000Z"}\n',
  );
});
