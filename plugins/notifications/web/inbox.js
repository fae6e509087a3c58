// The inbox in a browser.

import { ask, at, attempt, button, element, openPage, repeating, say } from '/pages/page.js';

const state = { page: 1, etag: undefined, shown: undefined };

function listPath() {
  const query = new URLSearchParams({ page: state.page, per_page: 25 });
  for (const name of ['all', 'participating']) if (at(name).checked) query.set(name, 'true');
  for (const name of ['since', 'before']) if (at(name).value) query.set(name, `${at(name).value}T00:00:00Z`);
  return `${scope()}/notifications?${query}`;
}

/** The whole inbox, or one repository. */
function scope() {
  const [owner, name] = at('repository').value.trim().split('/');
  return owner && name ? `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}` : '';
}

/** Asks as often as the API says. */
const load = repeating(async () => {
  const path = listPath();
  const known = state.shown === path && state.etag ? { 'If-None-Match': state.etag } : {};
  const answer = await ask('GET', path, undefined, known);
  if (answer.status !== 304) {
    const links = answer.headers.get('Link') ?? '';
    show(await answer.json());
    at('next').hidden = !links.includes('rel="next"');
    at('previous').hidden = state.page === 1;
    Object.assign(state, { shown: path, etag: answer.headers.get('ETag') });
  }
  return (Number(answer.headers.get('X-Poll-Interval')) || 60) * 1000;
});

function show(threads) {
  at('threads').replaceChildren(...threads.map(threadItem));
  say(threads.length === 0 ? 'Nothing to see here.' : '');
}

function threadItem(thread) {
  const { id, subject, repository, reason, unread, updated_at: updated } = thread;
  const item = element('li');
  item.dataset.unread = unread;
  item.dataset.id = id;
  const address = subject.html_url ?? '';
  const title = /^https?:/.test(address)
    ? element('a', { className: 'title', href: address, rel: 'noreferrer', textContent: subject.title })
    : element('span', { className: 'title', textContent: subject.title });
  const path = `/notifications/threads/${id}`;
  const act = (words, run) => button(words, () => attempt(run).then(load));
  item.append(
    title,
    ...(unread ? [act('Mark as read', () => ask('PATCH', path))] : []),
    act('Subscribe', () => ask('PUT', `${path}/subscription`, { ignored: false })),
    act('Ignore', () => ask('PUT', `${path}/subscription`, { ignored: true })),
    act('Mute', () => ask('DELETE', `${path}/subscription`)),
    element('small', {
      textContent: `${repository.full_name} · ${subject.type} · ${reason} · ${new Date(updated).toLocaleString()}`,
    }),
  );
  return item;
}

function turn(pages) {
  state.page = Math.max(1, state.page + pages);
  return load();
}

at('filters').addEventListener('submit', (event) => event.preventDefault());
at('filters').addEventListener('change', () => {
  state.page = 1;
  load();
});
at('mark-all').addEventListener('click', () =>
  attempt(() => ask('PUT', `${scope()}/notifications`, { read: true })).then(load),
);
at('next').addEventListener('click', () => turn(1));
at('previous').addEventListener('click', () => turn(-1));

openPage({
  enter: load,
  leave() {
    Object.assign(state, { page: 1, etag: undefined, shown: undefined });
    at('threads').replaceChildren();
  },
});
