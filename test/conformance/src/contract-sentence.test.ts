import test from 'ava';
import { contractSentence } from './contract-sentence.js';

test('the promise of a method is found in the contract, whole and without its marks', async (t) => {
  t.deepEqual(await contractSentence('volume', 'remove'), {
    method: 'VolumeDriver.remove',
    text: 'Removes the volume and what it holds; of several calls at once one resolves. Rejects `not-found`, and while it is mounted `conflict` with the words `remove NAME: volume is in use - [USER, USER]`.',
  });
  t.is((await contractSentence('volume', 'usage'))?.text, 'Bytes used. Only with `capabilities.usage`.');
  t.is(await contractSentence('volume', 'list'), undefined, 'it has no comment of its own');
  t.is(await contractSentence('box', 'open'), undefined);
});
