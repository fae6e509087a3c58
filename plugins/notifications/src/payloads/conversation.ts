import type { Activity, Concern, Delivery, NotificationEvent, SubjectFacts } from '../activity.js';
import type { Reason } from '../reasons.js';
import { mentionsIn } from './mentions-in.js';
import { Payload, present, repositoryOf } from './payload.js';

interface Conversation {
  readonly subject: SubjectFacts;
  /** Makes the sender a participant, for this reason. */
  readonly actorTakesPartAs?: Reason;
  /** A text with mentions. */
  readonly body?: string | undefined;
  readonly concerns?: readonly (Concern | undefined)[];
  readonly teams?: Activity['teams'];
  readonly watchers?: Reason | false;
  readonly participants?: boolean;
}

/** The activity of a delivery's sender, with the users and teams that its text mentions. */
export function conversation(delivery: Delivery, facts: Conversation): readonly NotificationEvent[] {
  const payload = new Payload(delivery.payload);
  const repository = repositoryOf(payload, delivery.hook);
  if (repository === undefined) return [];
  const { logins, teams } = mentionsIn(facts.body);
  const mentioned = logins.map((login): Concern => ({ login, reason: 'mention' }));
  return [
    {
      kind: 'activity',
      repository,
      subject: facts.subject,
      concerns: [...(facts.concerns ?? []).filter((concern) => concern !== undefined), ...mentioned],
      teams: [...(facts.teams ?? []), ...teams.map((team) => ({ team, reason: 'team_mention' as const }))],
      ...present({
        actor: payload.login('sender'),
        actorTakesPartAs: facts.actorTakesPartAs,
        watchers: facts.watchers,
        participants: facts.participants,
      }),
    },
  ];
}

/** Undefined without a login. */
export const concern = (login: string | undefined, reason: Reason, self = false): Concern | undefined =>
  login === undefined ? undefined : { login, reason, ...(self && { self }) };

/** An issue or a pull request: hosts number them together, so that both are the same thread. */
export function issueSubject(item: Payload, type: 'Issue' | 'PullRequest', comment?: Payload): SubjectFacts {
  const number = item.number('number') ?? 0;
  return {
    key: `issues/${number}`,
    title: (item.text('title') ?? `#${number}`).slice(0, 1000).replace(/\p{Cc}/gu, ' '),
    type,
    ...present({
      url: item.address('url'),
      latestCommentUrl: comment?.address('url') ?? item.address('url'),
      htmlUrl: comment?.address('html_url') ?? item.address('html_url'),
    }),
  };
}
