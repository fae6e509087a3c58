import { execFileSync } from 'node:child_process';
import { appendFileSync, copyFileSync, rmSync, truncateSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import test from 'ava';
import { batch, gaps, numbers, testLog, textOf } from '../testing/test-log.js';

const everything = { stdout: true, stderr: true, follow: false };

test('what other writers wrote is read, and what is damaged is left out', async (t) => {
  const { driver, container, path } = await testLog(t);
  const lines = [
    '{"log":"tab\\u0009 \\u003c\\n","stream":"stdout","time":"2026-11-21T11:16:39.82452506Z"}',
    '{"log":"with attrs\\n","stream":"stderr","attrs":{"A":"1"},"time":"2026-11-21T11:16:39.824525060Z"}',
    'rubbish',
    '{"log":"torn',
    '',
    '{"time":"2026-11-21T12:16:39+01:00","stream":"stdout","log":"other order \\ud83d\\ude00\\n","more":1}',
    '{"log":"no stream\\n","time":"2026-11-21T11:16:39.82452506Z"}',
    '\0\0\0\0\0\0\0\0',
    'null',
    '{"log":"half","stream":"stdout","time":"2026-11-21T11:16:40Z"}',
    '{"log":" and half\\n","stream":"stdout","time":"2026-11-21T11:16:40.000000000Z"}',
  ];
  appendFileSync(path, `${lines.join('\n')}\n{"log":"being written\\n","stream":"stdo`);
  const expected = 'tab\t <\nwith attrs\nother order 😀\nhalf and half\n';
  t.is(await textOf(driver, container), expected);
  t.is(await textOf(driver, container, { tail: 3 }), 'other order 😀\nhalf and half\n');
  for await (const page of driver.read(container, { stdout: true, stderr: true, follow: false })) {
    const records = [...page.records()];
    t.deepEqual(records[1]?.attributes, { A: '1' });
    t.is(records[0]?.time, 1795259799824525060n);
    t.is(records[2]?.time, 1795259799000000000n);
    const frames = Buffer.from(page.frames?.() ?? []);
    t.deepEqual([...frames.subarray(0, 8)], [1, 0, 0, 0, 0, 0, 0, 7]);
    t.is(frames.subarray(8, 15).toString(), 'tab\t <\n');
  }
});

test('a line that no block can hold is damage, and what comes after it is read', async (t) => {
  const { driver, container, path } = await testLog(t);
  const good = (text: string) => `{"log":"${text}\\n","stream":"stdout","time":"2026-11-21T11:16:40.000000000Z"}\n`;
  appendFileSync(path, `${good('before')}${'x'.repeat(3_000_000)}\n${good('after')}`);
  t.is(await textOf(driver, container), 'before\nafter\n');
  t.is(await textOf(driver, container, { tail: 2 }), 'before\nafter\n');
});

test('a tail is exact with lines of every length', async (t) => {
  const { driver, container, path } = await testLog(t);
  const lengths = [10, 8_000, 8_100, 8_192, 9_000, 40_000, 5, 131_000, 200_000, 1, 30];
  const texts = lengths.map((length, index) => String.fromCharCode(0x61 + index).repeat(length));
  const time = '2026-11-21T11:16:40.000000000Z';
  appendFileSync(path, texts.map((text) => `{"log":"${text}\\n","stream":"stdout","time":"${time}"}\n`).join(''));
  for (let count = 0; count <= texts.length + 1; count++) {
    const expected = count === 0 ? '' : texts.slice(-count).map((text) => `${text}\n`);
    t.true((await textOf(driver, container, { tail: count })) === [...expected].join(''), `tail ${count}`);
  }
});

test('a tail that the current file covers opens no rotated file', async (t) => {
  const { driver, container, path } = await testLog(t, { 'max-size': '2k', 'max-file': '50' });
  const sink = await driver.open(container);
  for (let from = 0; from < 60; from += 10) await sink.write(batch(from, from + 10));
  await sink.close();
  // Opening a FIFO blocks until it has a writer.
  rmSync(`${path}.1`);
  execFileSync('mkfifo', [`${path}.1`]);
  t.is(await textOf(driver, container, { tail: 2 }), numbers(58, 60));
});

test('of a log of one file nothing else is opened, however many lines are asked for', async (t) => {
  const { driver, container, path } = await testLog(t);
  const sink = await driver.open(container);
  await sink.write(batch(0, 10));
  await sink.close();
  const progress = path.replace(/\.log$/, '.resume');
  rmSync(progress);
  execFileSync('mkfifo', [progress]);
  for (const tail of [3, 10, 11, 1000])
    t.is(await textOf(driver, container, { tail }), numbers(Math.max(0, 10 - tail), 10));
  t.is(await textOf(driver, container), numbers(0, 10));
  appendFileSync(path, '{"log":"half a li');
  t.is(await textOf(driver, container, { tail: 20 }), numbers(0, 10));
});

test('a log that has nothing but half a line has no lines', async (t) => {
  const { driver, container, path } = await testLog(t);
  appendFileSync(path, '{"log":"half a li');
  t.is(await textOf(driver, container), '');
  t.is(await textOf(driver, container, { tail: 5 }), '');
});

test('following goes on after a tail, with a line that was being written and in the file that comes next', async (t) => {
  const { driver, container, path } = await testLog(t, { 'max-size': '2k', 'max-file': '50' });
  const sink = await driver.open(container);
  await sink.write(batch(0, 10));
  const whole = '{"log":"by another\\n","stream":"stdout","time":"2026-01-01T00:00:10.000000000Z"}\n';
  appendFileSync(path, whole.slice(0, 40));
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let text = '';
  for await (const page of driver.read(container, { ...everything, follow: true, ended, tail: 2 })) {
    for (const { line } of page.records()) text += `${Buffer.from(line)}\n`;
    if (text === numbers(8, 10)) appendFileSync(path, whole.slice(40));
    else if (text === `${numbers(8, 10)}by another\n`) await sink.write(batch(10, 60));
    else if (text.endsWith('59\n')) end();
  }
  t.is(text, `${numbers(8, 10)}by another\n${numbers(10, 60)}`);
  await sink.close();
});

test('a file rotated by another program is read too', async (t) => {
  const { driver, container, path } = await testLog(t);
  const sink = await driver.open(container);
  await sink.write(batch(0, 3));
  copyFileSync(path, `${path}.1`);
  truncateSync(path, 0);
  await sink.write(batch(3, 6));
  await sink.close();
  t.is(await textOf(driver, container), numbers(0, 6));
  t.is(await textOf(driver, container, { tail: 4 }), numbers(2, 6));
});

for (const compress of ['false', 'true']) {
  test(`a reader follows every rotation, and no line is lost or comes twice (compress ${compress})`, async (t) => {
    const { driver, container } = await testLog(t, { 'max-size': '8k', 'max-file': '200', compress });
    const sink = await driver.open(container);
    await sink.write(batch(0, 10));
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const readers = Array.from({ length: 4 }, () => textOf(driver, container, { follow: true, ended }));
    for (let at = 10; at < 6000; at += 70) await sink.write(batch(at, Math.min(6000, at + 70)));
    end();
    for (const text of await Promise.all(readers)) t.is(gaps(text), '0 to 5999');
    await sink.close();
  });
}

test('a reader that is slow gets each line once, from the file it is in', async (t) => {
  const { driver, container } = await testLog(t, { 'max-size': '8k', 'max-file': '200' });
  const sink = await driver.open(container);
  await sink.write(batch(0, 10));
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const seen: string[] = [];
  let written = 10;
  for await (const page of driver.read(container, { stdout: true, stderr: true, follow: true, ended })) {
    for (const { line } of page.records()) seen.push(Buffer.from(line).toString());
    if (written >= 6000) end();
    else if (seen.length > written - 500) {
      // Many rotations happen while the reader holds one page.
      await sink.write(batch(written, written + 1000));
      written += 1000;
    }
  }
  t.is(gaps(`${seen.join('\n')}\n`), `0 to ${seen.length - 1}`);
  t.is(seen.length, written);
  await sink.close();
});

test('following goes on past the time of until, up to its end, for what is stored late', async (t) => {
  const { driver, container } = await testLog(t);
  const sink = await driver.open(container);
  await sink.write(batch(0, 3));
  const until = BigInt(Date.now()) * 1_000_000n;
  const ended = setTimeout(50).then(() => sink.write(batch(3, 5)));
  t.is(await textOf(driver, container, { follow: true, until, ended }), numbers(0, 5));
  await sink.close();
});

test('rotated files that are older than since are left out quickly, and the rest is exact', async (t) => {
  const { driver, container } = await testLog(t, { 'max-size': '4k', 'max-file': '50' });
  const sink = await driver.open(container);
  await sink.write(batch(0, 500));
  await sink.close();
  const since = BigInt(Date.UTC(2026, 0, 1) + 321_000) * 1_000_000n;
  t.is(await textOf(driver, container, { since }), numbers(321, 500));
  t.is(await textOf(driver, container, { since, tail: 5 }), numbers(495, 500));
});
