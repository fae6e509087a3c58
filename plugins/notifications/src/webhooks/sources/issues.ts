import type { Delivery, EventSource, NotificationEvent } from '../../activity.js';
import { concern, conversation, issueSubject } from '../../payloads/conversation.js';
import { Payload } from '../../payloads/payload.js';

/** Issues that are opened, closed, reopened or assigned. */
export const issues: EventSource = {
  events: ['issues'],
  read(delivery: Delivery): readonly NotificationEvent[] {
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
