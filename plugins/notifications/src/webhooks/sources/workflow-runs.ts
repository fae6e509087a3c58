import type { Delivery, EventSource, NotificationEvent } from '../../activity.js';
import { concern, conversation } from '../../payloads/conversation.js';
import { Payload, present } from '../../payloads/payload.js';

/** Workflow runs that are requested or completed: for the user who triggered them. */
export const workflowRuns: EventSource = {
  events: ['workflow_run'],
  read(delivery: Delivery): readonly NotificationEvent[] {
    const payload = new Payload(delivery.payload);
    const action = payload.text('action');
    const run = payload.at('workflow_run');
    const id = run.number('id');
    if ((action !== 'requested' && action !== 'completed') || id === undefined) return [];
    const outcome = action === 'requested' ? 'requested' : (run.text('conclusion') ?? 'completed');
    const name = run.text('name') ?? 'Workflow';
    const branch = run.text('head_branch');
    return conversation(delivery, {
      subject: {
        key: `runs/${id}`,
        title: `${name} run ${outcome}${branch === undefined ? '' : ` for ${branch}`}`.slice(0, 1000),
        type: 'CheckSuite',
        ...present({ url: run.address('url'), htmlUrl: run.address('html_url') }),
      },
      concerns: [concern(run.login('triggering_actor') ?? run.login('actor'), 'ci_activity', true)],
      watchers: false,
      participants: false,
    });
  },
};
