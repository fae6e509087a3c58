import type { Delivery, EventSource, NotificationEvent } from '../../activity.js';
import { concern, conversation, issueSubject } from '../../payloads/conversation.js';
import { Payload } from '../../payloads/payload.js';

/** Discussions that are begun or answered. */
export const discussions: EventSource = {
  events: ['discussion'],
  read(delivery: Delivery): readonly NotificationEvent[] {
    const payload = new Payload(delivery.payload);
    const discussion = payload.at('discussion');
    const issue = issueSubject(discussion, 'Issue');
    const subject = { ...issue, key: issue.key.replace('issues/', 'discussions/'), type: 'Discussion' };
    const author = concern(discussion.login('user'), 'author');
    switch (payload.text('action')) {
      case 'created':
        return conversation(delivery, { subject, actorTakesPartAs: 'author', body: discussion.text('body') });
      case 'answered':
        return conversation(delivery, { subject, concerns: [author] });
      default:
        return [];
    }
  },
};
