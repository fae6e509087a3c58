import type { Delivery, EventSource, NotificationEvent } from '../../activity.js';
import { conversation } from '../../payloads/conversation.js';
import { Payload, present } from '../../payloads/payload.js';

/** Published releases: for watchers and mentioned users. */
export const releases: EventSource = {
  events: ['release'],
  read(delivery: Delivery): readonly NotificationEvent[] {
    const payload = new Payload(delivery.payload);
    const release = payload.at('release');
    if (payload.text('action') !== 'published') return [];
    const tag = release.text('tag_name') ?? 'release';
    return conversation(delivery, {
      subject: {
        key: `releases/${release.number('id') ?? tag.slice(0, 150)}`,
        title: (release.text('name') ?? tag).slice(0, 1000).replace(/\p{Cc}/gu, ' '),
        type: 'Release',
        ...present({ url: release.address('url'), htmlUrl: release.address('html_url') }),
      },
      body: release.text('body'),
    });
  },
};
