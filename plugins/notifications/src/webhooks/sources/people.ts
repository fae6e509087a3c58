import type { Delivery, EventSource, NotificationEvent } from '../../activity.js';
import { concern, conversation } from '../../payloads/conversation.js';
import { Payload, present, repositoryOf } from '../../payloads/payload.js';

/** Members added to or removed from a repository; an added member is notified of the accepted invitation. */
export const members: EventSource = {
  events: ['member'],
  read(delivery: Delivery): readonly NotificationEvent[] {
    const payload = new Payload(delivery.payload);
    const repository = repositoryOf(payload, delivery.hook);
    const login = payload.login('member');
    const action = payload.text('action');
    if (repository === undefined || login === undefined || (action !== 'added' && action !== 'removed')) return [];
    const access: NotificationEvent = { kind: 'reader', repository, login, allowed: action === 'added' };
    if (action === 'removed') return [access];
    const invitation = conversation(delivery, {
      subject: {
        key: `invitations/${login}`.slice(0, 200),
        title: `Invitation to join ${repository.owner}/${repository.name}`,
        type: 'RepositoryInvitation',
        ...present({ url: payload.address('repository.url'), htmlUrl: payload.address('repository.html_url') }),
      },
      concerns: [concern(login, 'invitation', true)],
      watchers: false,
      participants: false,
    });
    return [access, ...invitation];
  },
};

/** Members added to or removed from a team. */
export const teams: EventSource = {
  events: ['membership'],
  read(delivery: Delivery): readonly NotificationEvent[] {
    const payload = new Payload(delivery.payload);
    const [organization, slug] = [payload.login('organization'), payload.text('team.slug')];
    const login = payload.login('member');
    const action = payload.text('action');
    if (organization === undefined || slug === undefined || login === undefined) return [];
    if (action !== 'added' && action !== 'removed') return [];
    return [{ kind: 'team-member', team: `${organization}/${slug}`, login, joined: action === 'added' }];
  },
};
