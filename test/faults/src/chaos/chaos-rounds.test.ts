import test from 'ava';
import { Random } from '../soak/random.js';
import { ChaosRounds } from './chaos-rounds.js';

const milliseconds = 3_000;

test('a swarm is sound again after its quota was exhausted on a slow disk, and after a full disk of its leader', async (t) => {
  t.timeout(400_000); // three engines start
  const chaos = await ChaosRounds.start(t, new Random(1), 0);
  for (const names of [['exhausted quota', 'slow disk of a follower'], ['full disk of the leader']]) {
    const { meanwhile, soundAfter, violations } = await chaos.run(names, milliseconds);
    t.log(`${names.join(' and ')}: ${meanwhile} updates acknowledged meanwhile, sound after ${soundAfter} ms`);
    t.deepEqual(violations, []);
  }
  t.true(chaos.registers.acknowledged > 0);
});
