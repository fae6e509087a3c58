import type { Delivery, EventSource, NotificationEvent } from '../../activity.js';
import { concern, conversation, issueSubject } from '../../payloads/conversation.js';
import { Payload } from '../../payloads/payload.js';

/** Pull requests that are opened, changed, closed, merged, assigned, or sent for review. */
export const pullRequests: EventSource = {
  events: ['pull_request'],
  read(delivery: Delivery): readonly NotificationEvent[] {
    const payload = new Payload(delivery.payload);
    const pull = payload.at('pull_request');
    const subject = issueSubject(pull, 'PullRequest');
    const author = concern(pull.login('user'), 'author');
    switch (payload.text('action')) {
      case 'opened':
        return conversation(delivery, {
          subject,
          actorTakesPartAs: 'author',
          body: pull.text('body'),
          concerns: [
            ...pull.list('assignees').map((person) => concern(person.text('login'), 'assign')),
            ...pull.list('requested_reviewers').map((person) => concern(person.text('login'), 'review_requested')),
          ],
        });
      case 'closed':
      case 'reopened':
        return conversation(delivery, { subject, actorTakesPartAs: 'state_change', concerns: [author] });
      case 'ready_for_review':
      case 'synchronize':
        return conversation(delivery, { subject, concerns: [author] });
      case 'assigned':
        return onlyTo(delivery, subject, [concern(payload.login('assignee'), 'assign')]);
      case 'review_requested':
        return onlyTo(
          delivery,
          subject,
          [concern(payload.login('requested_reviewer'), 'review_requested')],
          teamOf(payload),
        );
      default:
        return [];
    }
  },
};

/** Reviews that are submitted or dismissed. */
export const reviews: EventSource = {
  events: ['pull_request_review'],
  read(delivery: Delivery): readonly NotificationEvent[] {
    const payload = new Payload(delivery.payload);
    const action = payload.text('action');
    if (action !== 'submitted' && action !== 'dismissed') return [];
    const review = payload.at('review');
    const pull = payload.at('pull_request');
    return conversation(delivery, {
      subject: issueSubject(pull, 'PullRequest', review),
      ...(action === 'submitted' && { actorTakesPartAs: 'comment' as const }),
      body: review.text('body'),
      concerns: [concern(pull.login('user'), 'author')],
    });
  },
};

type Facts = Parameters<typeof conversation>[1];

const onlyTo = (
  delivery: Delivery,
  subject: Facts['subject'],
  concerns: Facts['concerns'] & object,
  teams: Facts['teams'] & object = [],
): readonly NotificationEvent[] =>
  conversation(delivery, { subject, concerns, teams, watchers: false, participants: false });

function teamOf(payload: Payload): NonNullable<Facts['teams']> {
  const slug = payload.text('requested_team.slug');
  const organization = payload.login('organization') ?? payload.login('repository.owner');
  return slug === undefined || organization === undefined
    ? []
    : [{ team: `${organization}/${slug}`, reason: 'review_requested' }];
}
