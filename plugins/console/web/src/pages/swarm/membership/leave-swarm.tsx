import { post } from '../../../api/request';
import { confirm } from '../../../components/confirm';
import { attempt } from '../../../notices/notices';

export async function leaveSwarm(): Promise<void> {
  const answer = await confirm({
    title: 'Leave the swarm?',
    body: <p>The tasks of this node end. When the last manager leaves, the swarm and its services are gone.</p>,
    action: 'Leave',
    options: { force: 'Also when this node manages the swarm' },
  });
  if (answer === undefined) return;
  await attempt('Leaving the swarm', () => post('/swarm/leave', { force: answer.force }), 'Left the swarm.');
}
