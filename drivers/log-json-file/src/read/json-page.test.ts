import { appendFileSync } from 'node:fs';
import { blockSize, RecordFilter } from '@gantry/lib-log/files';
import test from 'ava';
import { testLog } from '../testing/test-log.js';
import { JsonPage } from './json-page.js';

const everything = { stdout: true, stderr: true, follow: false };

/** Below a limit, the same every time. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

for (const [what, pieces] of Object.entries({
  'plain text': ['a', 'text of some length', '.', 'a text that is longer than sixteen bytes by some more'],
  'escaped text': ['\\"', '\\\\', '\\u003c', '\\u001B', '\\r', '\\/', '\\b\\f\\t', 'some text', '\x7f'],
  'text of all kinds': ['é', '\\u2028', '😀', '\\ufffd', '\\u00e9', '\\ud83d\\ude00', 'some text', '\\u0000'],
  'long lines': ['x'.repeat(8000), '\\u0026'.repeat(900), 'é', 'y'.repeat(70_000)],
})) {
  test(`a block becomes the same frames as its lines do one by one: ${what}`, (t) => {
    const random = randomNumbers(20_261_121);
    const line = (): string => {
      const text = Array.from({ length: random(6) }, () => pieces[random(pieces.length)]).join('');
      const log = `{"log":"${text}${random(20) === 0 ? '' : '\\n'}"`;
      const stream = random(4) === 0 ? 'stderr' : 'stdout';
      switch (random(60)) {
        case 0:
          return '{"log":"torn\n';
        case 1:
          return `{"stream":"${stream}","log":"${text}","time":"2026-11-21T11:16:39Z"}\n`;
        case 2:
          return `${log},"stream":"${stream}","time":"2026-11-21T11:16:39.8Z"}\n`;
        case 3:
          return `${log},"stream":"${stream}","attrs":{"A":"1"},"time":"2026-11-21T11:16:39.824525060Z"}\n`;
        case 4:
          return '\n';
        default:
          return `${log},"stream":"${stream}","time":"2026-11-21T11:16:39.824525060Z"}\n`;
      }
    };
    const lines: Buffer[] = [];
    for (let size = 0; size < blockSize; size += lines.at(-1)?.length ?? 0) lines.push(Buffer.from(line()));
    for (const attributes of [undefined, '{"A":"1"}']) {
      for (const query of [everything, { ...everything, stderr: false }, { ...everything, stdout: false }]) {
        const reading = { filter: new RecordFilter(query), attributes };
        // With a time to compare, lines are taken one by one.
        const slowly = { filter: new RecordFilter({ ...query, since: 0n }), attributes };
        const block = Buffer.concat(lines);
        const [page, one] = [new JsonPage(block, reading), new JsonPage(block, slowly)];
        t.true(Buffer.from(page.frames()).equals(one.frames()));
        t.true(Buffer.from(page.texts()).equals(one.texts()));
        const texts = [...page.records()].map(({ line, partial }) => `${Buffer.from(line)}${partial ? '' : '\n'}`);
        t.true(Buffer.from(page.texts()).equals(Buffer.from(texts.join(''))));
      }
    }
  });
}

test('the frames of a page are good until the page after the next is asked for', async (t) => {
  const { driver, container, path } = await testLog(t);
  const text = (index: number): string => `line ${index} ${'with some text '.repeat(index % 90)}`;
  const count = 4000;
  const json = (index: number): string =>
    `{"log":"${text(index)}\\n","stream":"stdout","time":"2026-11-21T11:16:40.000000000Z"}\n`;
  appendFileSync(path, Array.from({ length: count }, (_, index) => json(index)).join(''));
  let before: Uint8Array = Buffer.alloc(0);
  const seen: Buffer[] = [];
  let pages = 0;
  for await (const page of driver.read(container, everything)) {
    const frames = page.frames?.() ?? Buffer.alloc(0);
    seen.push(Buffer.from(before));
    before = frames;
    pages++;
  }
  seen.push(Buffer.from(before));
  t.true(pages > 4);
  const expected = Array.from({ length: count }, (_, index) => {
    const bytes = Buffer.from(`${text(index)}\n`);
    return Buffer.concat([Buffer.from([1, 0, 0, 0, 0, 0, bytes.length >> 8, bytes.length & 0xff]), bytes]);
  });
  t.true(Buffer.concat(seen).equals(Buffer.concat(expected)));
});
