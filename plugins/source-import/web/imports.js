// Imports in a browser. It is a client of the API like any other: everything it shows or does goes through it.

import { element, ImportView, isWorking } from '/imports/view.js';

const at = (id) => document.getElementById(id);
const key = 'gantry-hosted-token';

/** `target` is the import that the address names, until it is shown. */
const target = decodeURIComponent(location.hash.slice(1));
const state = { etag: undefined, views: new Map(), timer: undefined, wait: 15_000, target };

async function ask(method, path, body, headers = {}) {
  const answer = await fetch(path, {
    method,
    cache: 'no-store',
    headers: { Authorization: `Bearer ${sessionStorage.getItem(key)}`, ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (answer.status === 401) leave('This token is not valid.');
  if (answer.status >= 400) throw new Error(await reasonOf(answer));
  return answer;
}

async function reasonOf(answer) {
  const { message, errors = [] } = await answer.json();
  return [message, ...errors.map(({ field, message: words, code }) => `${field}: ${words ?? code}`)].join('; ');
}

const importOf = (fullName) => `/repos/${fullName.split('/').map(encodeURIComponent).join('/')}/import`;

const actions = {
  change: (name, body) => act(() => ask('PATCH', importOf(name), body)),
  cancel: (name) => act(() => ask('DELETE', importOf(name))),
  map: (name, id, body) => act(() => ask('PATCH', `${importOf(name)}/authors/${id}`, body)),
  choose: (name, choice) => act(() => ask('PATCH', `${importOf(name)}/lfs`, { use_lfs: choice })),
  authors: async (name) => (await ask('GET', `${importOf(name)}/authors`)).json(),
  files: async (name) => (await ask('GET', `${importOf(name)}/large_files`)).json(),
};

/** What is unchanged costs nothing of the rate limit, so that figures may move every second. */
async function load() {
  clearTimeout(state.timer);
  try {
    const answer = await ask('GET', '/user/imports', undefined, state.etag ? { 'If-None-Match': state.etag } : {});
    if (answer.status !== 304) {
      state.etag = answer.headers.get('ETag');
      show(await answer.json());
    }
  } catch (error) {
    at('message').textContent = error.message;
  }
  if (sessionStorage.getItem(key)) state.timer = setTimeout(load, state.wait);
}

function show(imports) {
  for (const found of imports) {
    const name = found.full_name;
    let view = state.views.get(name);
    if (view === undefined) {
      view = new ImportView(name, actions);
      state.views.set(name, view);
    }
    view.update(found);
  }
  const names = new Set(imports.map(({ full_name: name }) => name));
  for (const name of state.views.keys()) if (!names.has(name)) state.views.delete(name);
  const nodes = imports.map(({ full_name: name }) => state.views.get(name).node);
  // Moving an element that is there would take the focus out of it.
  if (
    nodes.some((node, index) => at('imports').children[index] !== node) ||
    at('imports').children.length > nodes.length
  ) {
    at('imports').replaceChildren(...nodes);
  }
  if (state.target) document.getElementById(state.target)?.scrollIntoView();
  state.target = undefined;
  state.wait = imports.some(isWorking) ? 1000 : 15_000;
}

async function act(run) {
  try {
    at('message').textContent = '';
    await run();
  } catch (error) {
    at('message').textContent = error.message;
  }
  await load();
}

async function enter() {
  at('entry').hidden = true;
  const { login } = await (await ask('GET', '/user')).json();
  at('user').textContent = login;
  for (const id of ['work', 'leave']) at(id).hidden = false;
  const repositories = await (await ask('GET', '/user/repos?per_page=100')).json();
  at('repositories').replaceChildren(...repositories.map(({ full_name: value }) => element('option', { value })));
  await load();
}

function leave(words = '') {
  clearTimeout(state.timer);
  sessionStorage.removeItem(key);
  Object.assign(state, { etag: undefined, views: new Map() });
  at('message').textContent = words;
  at('user').textContent = '';
  at('imports').replaceChildren();
  for (const id of ['work', 'leave']) at(id).hidden = true;
  at('entry').hidden = false;
}

async function showPages() {
  const pages = await (await fetch('/pages')).json();
  at('pages').replaceChildren(...pages.map(({ title, path }) => element('a', { href: path, textContent: title })));
}

at('entry').addEventListener('submit', (event) => {
  event.preventDefault();
  sessionStorage.setItem(key, at('token').value.trim());
  at('token').value = '';
  enter().catch((error) => {
    at('message').textContent = error.message;
  });
});
at('start').addEventListener('submit', (event) => {
  event.preventDefault();
  const { repository, ...fields } = Object.fromEntries(new FormData(at('start')));
  const body = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
  at('start').elements.vcs_password.value = '';
  act(() => ask('PUT', importOf(repository), body));
});
at('leave').addEventListener('click', () => leave());

showPages();
if (sessionStorage.getItem(key)) act(enter);
else leave();
