import type { Delivery, EventSource, Happening } from '../../activity.js';
import { concern, conversation, issueSubject } from '../conversation.js';
import { Payload } from '../payload.js';

/** Issues that are opened, closed, opened again or given to somebody. */
export const issues: EventSource = {
  events: ['issues'],
  read(delivery: Delivery): readonly Happening[] {
    const payload = new Payload(delivery.payload);
    const issue = payload.at('issue');
    const subject = issueSubject(issue, 'Issue');
    switch (payload.text('action')) {
      case 'opened':
        return conversation(delivery, {
          subject,
          actorTakesPartAs: 'author',
          body: issue.text('body'),
          concerns: issue.list('assignees').map((person) => concern(person.text('login'), 'assign')),
        });
      case 'closed':
      case 'reopened':
        return conversation(delivery, {
          subject,
          actorTakesPartAs: 'state_change',
          concerns: [concern(issue.login('user'), 'author')],
        });
      case 'assigned':
        return conversation(delivery, {
          subject,
          concerns: [concern(payload.login('assignee'), 'assign')],
          watchers: false,
          participants: false,
        });
      default:
        return [];
    }
  },
};
