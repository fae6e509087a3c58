import type { Delivery, EventSource, NotificationEvent } from '../../activity.js';
import { concern, conversation, issueSubject } from '../../payloads/conversation.js';
import { Payload, present } from '../../payloads/payload.js';

/** Comments on issues, pull requests, lines of code and discussions. */
export const comments: EventSource = {
  events: ['issue_comment', 'pull_request_review_comment', 'discussion_comment'],
  read(delivery: Delivery): readonly NotificationEvent[] {
    const payload = new Payload(delivery.payload);
    if (payload.text('action') !== 'created') return [];
    const comment = payload.at('comment');
    const isPull = payload.at('pull_request').isPresent || payload.at('issue.pull_request').isPresent;
    const item = ['pull_request', 'issue', 'discussion'].map((name) => payload.at(name)).find((each) => each.isPresent);
    if (item === undefined) return [];
    const subject = issueSubject(item, isPull ? 'PullRequest' : 'Issue', comment);
    const isDiscussion = delivery.event === 'discussion_comment';
    const discussion = { ...subject, key: subject.key.replace('issues/', 'discussions/'), type: 'Discussion' };
    return conversation(delivery, {
      subject: isDiscussion ? discussion : subject,
      actorTakesPartAs: 'comment',
      body: comment.text('body'),
      concerns: [concern(item.login('user'), 'author')],
    });
  },
};

/** Comments on commits. */
export const commitComments: EventSource = {
  events: ['commit_comment'],
  read(delivery: Delivery): readonly NotificationEvent[] {
    const payload = new Payload(delivery.payload);
    const comment = payload.at('comment');
    const commit = comment.text('commit_id');
    if (payload.text('action') !== 'created' || commit === undefined) return [];
    const repository = payload.address('repository.url');
    return conversation(delivery, {
      subject: {
        key: `commits/${commit.slice(0, 100)}`,
        title: `Commit ${commit.slice(0, 7)}`,
        type: 'Commit',
        ...present({
          url: repository === undefined ? undefined : `${repository}/commits/${encodeURIComponent(commit)}`,
          latestCommentUrl: comment.address('url'),
          htmlUrl: comment.address('html_url'),
        }),
      },
      actorTakesPartAs: 'comment',
      body: comment.text('body'),
    });
  },
};
