import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseConfig } from '@gantry/conformance';
import { plainContainer } from '@gantry/lib-log/testing';
import { configSchema } from '../config.js';
import { JsonFileLog } from '../json-file-log.js';

// Does what the engine's log worker does, with the offset in the spool as the resume token.
const [directory = '', compress] = process.argv.slice(2);
const options = { 'max-size': '20k', 'max-file': '1000', compress: compress ?? 'false' };
const driver = new JsonFileLog(parseConfig(configSchema));
const sink = await driver.open(plainContainer(join(directory, 'log'), options));
const spool = readFileSync(join(directory, 'spool'));
process.send?.('open');

for (let at = Number((await sink.resumeAt()) ?? 0); at < spool.length; ) {
  const end = spool.lastIndexOf('\n', Math.min(spool.length, at + 9000 + (at % 30_000))) + 1;
  await sink.write({ spool: spool.subarray(at, end), resume: String(end), records: () => [] });
  at = end;
}
await sink.close();
process.disconnect?.();
