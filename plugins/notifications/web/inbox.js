// The inbox in a browser. It is a client of the API like any other: everything it shows or does goes through it.

const at = (id) => document.getElementById(id);
const key = 'gantry-hosted-token';

const state = { page: 1, etag: undefined, shown: undefined, timer: undefined };

async function ask(method, path, body, headers = {}) {
  const answer = await fetch(path, {
    method,
    cache: 'no-store',
    headers: { Authorization: `Bearer ${sessionStorage.getItem(key)}`, ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (answer.status === 401) leave('This token is not valid.');
  if (answer.status >= 400) throw new Error((await answer.json()).message);
  return answer;
}

/** Makes an element of texts only: titles come from anywhere. */
function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

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

async function load() {
  clearTimeout(state.timer);
  const path = listPath();
  const known = state.shown === path && state.etag ? { 'If-None-Match': state.etag } : {};
  let wait = 60;
  try {
    const answer = await ask('GET', path, undefined, known);
    wait = Number(answer.headers.get('X-Poll-Interval')) || wait;
    if (answer.status !== 304) {
      const links = answer.headers.get('Link') ?? '';
      show(await answer.json());
      at('next').hidden = !links.includes('rel="next"');
      at('previous').hidden = state.page === 1;
      Object.assign(state, { shown: path, etag: answer.headers.get('ETag') });
    }
  } catch (error) {
    at('message').textContent = error.message;
  }
  if (sessionStorage.getItem(key)) state.timer = setTimeout(load, wait * 1000);
}

function show(threads) {
  at('threads').replaceChildren(...threads.map(threadItem));
  at('message').textContent = threads.length === 0 ? 'Nothing to see here.' : '';
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
  const act = (words, run) =>
    element('button', { type: 'button', textContent: words, onclick: () => attempt(run).then(load) });
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

async function attempt(run) {
  try {
    await run();
  } catch (error) {
    at('message').textContent = error.message;
  }
}

async function enter() {
  at('entry').hidden = true;
  const { login } = await (await ask('GET', '/user')).json();
  at('user').textContent = login;
  for (const id of ['inbox', 'leave']) at(id).hidden = false;
  await load();
}

function leave(words = '') {
  clearTimeout(state.timer);
  sessionStorage.removeItem(key);
  at('message').textContent = words;
  at('user').textContent = '';
  at('threads').replaceChildren();
  for (const id of ['inbox', 'leave']) at(id).hidden = true;
  at('entry').hidden = false;
}

async function showPages() {
  const pages = await (await fetch('/pages')).json();
  at('pages').replaceChildren(...pages.map(({ title, path }) => element('a', { href: path, textContent: title })));
}

function turn(pages) {
  state.page = Math.max(1, state.page + pages);
  return load();
}

at('entry').addEventListener('submit', (event) => {
  event.preventDefault();
  sessionStorage.setItem(key, at('token').value.trim());
  at('token').value = '';
  attempt(enter);
});
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
at('leave').addEventListener('click', () => leave());

attempt(showPages);
if (sessionStorage.getItem(key)) attempt(enter);
else leave();
