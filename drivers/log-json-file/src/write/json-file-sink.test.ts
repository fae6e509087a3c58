import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { freshDirectory, rejects, removeDirectory } from '@gantry/conformance';
import { kernelMounts } from '@gantry/lib-linux/mounts';
import test from 'ava';
import { batch, numbers, testLog, textOf } from '../testing/test-log.js';

test('files rotate at max-size, and there are never more than max-file', async (t) => {
  const { driver, container, path } = await testLog(t, { 'max-size': '4k', 'max-file': '3' });
  const sink = await driver.open(container);
  await sink.write(batch(0, 200));
  await sink.close();
  t.deepEqual(readdirSync(container.directory).sort(), ['c-json.log', 'c-json.log.1', 'c-json.log.2', 'c-json.resume']);
  for (const name of ['', '.1', '.2']) t.true(statSync(`${path}${name}`).size < 4200);
  t.true(statSync(`${path}.1`).size >= 4000);
  const text = await textOf(driver, container);
  const first = Number.parseInt(text, 10);
  t.true(first > 50);
  t.is(text, numbers(first, 200));
});

test('with max-file 1 the file begins anew', async (t) => {
  const { driver, container } = await testLog(t, { 'max-size': '4k', 'max-file': '1' });
  const sink = await driver.open(container);
  await sink.write(batch(0, 200));
  await sink.close();
  t.deepEqual(readdirSync(container.directory).sort(), ['c-json.log', 'c-json.resume']);
  t.true((await textOf(driver, container)).endsWith(numbers(195, 200)));
});

test('compressed files are read as the others are, also from the back', async (t) => {
  const { driver, container, path } = await testLog(t, { 'max-size': '4k', 'max-file': '50', compress: 'true' });
  const sink = await driver.open(container);
  for (let at = 0; at < 500; at += 100) await sink.write(batch(at, at + 100));
  await sink.close();
  t.true(existsSync(`${path}.3.gz`));
  t.false(existsSync(`${path}.3`));
  t.is(await textOf(driver, container), numbers(0, 500));
  for (const tail of [1, 50, 100, 333, 499, 500, 501]) {
    t.is(await textOf(driver, container, { tail }), numbers(Math.max(0, 500 - tail), 500));
  }
});

test('a resume file that an earlier version wrote is taken, and a record that is torn is not', async (t) => {
  const { driver, container, path } = await testLog(t);
  const first = await driver.open(container);
  await first.write(batch(0, 3));
  await first.close();
  const resume = path.replace('.log', '.resume');
  const file = readFileSync(resume);
  const at = file.length - file.toString('latin1').split('\0').slice(-1).join('').length;
  const text = file.toString('utf8', at + 17, file.length - 1);
  const former = createHash('sha1').update(text).digest('hex').slice(0, 16);
  t.not(file.toString('latin1', at, at + 16), former);
  const opened = async (bytes: Buffer): Promise<string | undefined> => {
    writeFileSync(resume, bytes);
    const sink = await driver.open(container);
    await sink.close();
    return sink.resumeAt();
  };
  t.is(await opened(file), '3');
  t.is(await opened(Buffer.concat([file.subarray(0, at), Buffer.from(`${former} ${text}\n`)])), '3');
  t.is(await opened(Buffer.concat([file.subarray(0, at + 40), Buffer.from('x'), file.subarray(at + 41)])), undefined);
  t.is(await opened(file.subarray(0, -10)), undefined);
});

test('an append that a crash cut off is taken back, and the batch comes again', async (t) => {
  const { driver, container, path } = await testLog(t);
  const first = await driver.open(container);
  await first.write(batch(0, 3));
  const size = statSync(path).size;
  await first.write(batch(3, 5));
  truncateSync(path, size + 20); // as a kill in the middle of write(2) leaves it
  const second = await driver.open(container);
  t.is(await second.resumeAt(), '3');
  t.is(statSync(path).size, size);
  // Twice the same: nothing was announced in between.
  const third = await driver.open(container);
  t.is(await third.resumeAt(), '3');
  await third.write(batch(3, 6));
  t.is(await textOf(driver, container), numbers(0, 6));
  for (const sink of [first, second, third]) await sink.close();
});

test('a log continues after another program truncated it', async (t) => {
  const { driver, container, path } = await testLog(t);
  const first = await driver.open(container);
  await first.write(batch(0, 3));
  truncateSync(path, 0);
  await first.write(batch(3, 5));
  const second = await driver.open(container);
  t.is(await second.resumeAt(), '5');
  await second.write(batch(5, 6));
  t.is(await textOf(driver, container), numbers(3, 6));
  for (const sink of [first, second]) await sink.close();
});

test('without the resume file, a log goes on at its end', async (t) => {
  const { driver, container, path } = await testLog(t);
  appendFileSync(path, '{"log":"old\\n","stream":"stdout","time":"2020-01-01T00:00:00Z"}\n');
  const sink = await driver.open(container);
  t.is(await sink.resumeAt(), undefined);
  await sink.write(batch(0, 1));
  t.is(await textOf(driver, container), 'old\n0\n');
  await sink.close();
});

test('a full disk rejects a batch, and it is written once there is room', async (t) => {
  const disk = await freshDirectory();
  t.teardown(() => removeDirectory(disk));
  await kernelMounts.mount({ source: 'tmpfs', target: disk, type: 'tmpfs', data: 'size=300k' });
  const { driver, container: elsewhere } = await testLog(t);
  const container = { ...elsewhere, directory: disk, options: { 'max-size': '100k', 'max-file': '9' } };
  const sink = await driver.open(container);
  await sink.write(batch(0, 500));
  const before = await sink.resumeAt();
  t.is(before, '500');
  await rejects(t, sink.write(batch(500, 4000)), 'unavailable', /no space left on device$/);
  t.is(await sink.resumeAt(), before);
  for (const line of readFileSync(driver.path(container), 'utf8').split('\n').filter(Boolean)) JSON.parse(line);
  const remains = await textOf(driver, container);
  t.is(remains, numbers(0, remains.trimEnd().split('\n').length));
  spawnSync('mount', ['-o', 'remount,size=3m', disk]);
  await sink.write(batch(500, 1000));
  await sink.write(batch(1000, 4000));
  await sink.close();
  t.is(await textOf(driver, container), numbers(0, 4000));
});

test('files are readable for the group only, as the reference has them', async (t) => {
  const { driver, container, path } = await testLog(t);
  await (await driver.open(container)).close();
  t.is(statSync(path).mode & 0o777, 0o640);
});
