import { silentLogger } from '@gantry/core/driver';
import test from 'ava';
import { MemberFile } from './member-file.js';

const megabyte = 1024 * 1024;

/** How often the file of a member that does not lead is defragmented when it has this size. */
async function defragmentations(size: number, used: number, errors: string[] = []): Promise<number> {
  let count = 0;
  const file = new MemberFile({ defragment: async () => ({ header: {} as never, count: count++ }) }, silentLogger);
  const sizes = { dbSize: String(size * megabyte), dbSizeInUse: String(used * megabyte) };
  await file.review({ ...sizes, errors, leader: '1', isLearner: false });
  return count;
}

test('a file is defragmented when most of it is unused, and with the quota reached when an eighth is', async (t) => {
  t.is(await defragmentations(100, 49), 1);
  t.is(await defragmentations(100, 60), 0);
  t.is(await defragmentations(60, 1), 0, 'it is small');
  t.is(await defragmentations(100, 60, ['memberID:1 alarm:NOSPACE ']), 1);
  t.is(await defragmentations(100, 95, ['memberID:1 alarm:NOSPACE ']), 0);
});
