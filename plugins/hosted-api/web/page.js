// Shared by all pages: the frame, and sign-in with a token. Pages are ordinary clients of the API.

const key = 'gantry-hosted-token';
const themeKey = 'gantry-theme';

/** The hooks of the current page; see `openPage`. */
let page;

export const at = (id) => document.getElementById(id);

/** Creates an element. Text is never parsed as HTML, since names and titles are untrusted. */
export function element(name, properties, ...children) {
  const created = Object.assign(document.createElement(name), properties);
  created.append(...children);
  return created;
}

export const button = (words, onclick) =>
  element('button', { type: 'button', className: 'button', textContent: words, onclick });

/** Shows a message to the user, replacing the previous one. */
export function say(words = '') {
  at('message').textContent = words;
}

/** Sends a request to the API. Rejects with the API's error message; signs the user out if the token is invalid. */
export async function ask(method, path, body, headers = {}) {
  const token = sessionStorage.getItem(key);
  const answer = await fetch(path, {
    method,
    cache: 'no-store',
    headers: { Authorization: `Bearer ${token}`, ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  // The user signed out, or another one signed in, while the request was pending.
  if (sessionStorage.getItem(key) !== token) throw new Error('You have signed out.');
  if (answer.status === 401) {
    leave();
    throw new Error('This token is not valid.');
  }
  if (answer.status >= 400) throw new Error(await reasonOf(answer));
  return answer;
}

async function reasonOf(answer) {
  const { message, errors = [] } = await answer.json();
  return [message, ...errors.map(({ field, message: words, code }) => `${field}: ${words ?? code}`)].join('; ');
}

/** Runs a function and shows its error to the user. */
export async function attempt(run) {
  try {
    await run();
  } catch (error) {
    say(error.message);
  }
}

/**
 * Returns a function that calls `load`, and calls it again after the number of milliseconds it resolved to, while a user
 * is signed in. After an error the previous interval applies.
 */
export function repeating(load) {
  let wait = 60_000;
  let timer;
  const again = async () => {
    clearTimeout(timer);
    if (!isSignedIn()) return;
    await attempt(async () => {
      wait = await load();
    });
    clearTimeout(timer);
    if (isSignedIn()) timer = setTimeout(again, wait);
  };
  return again;
}

/** Opens the page: `enter` fills it after sign-in, `leave` clears it on sign-out. */
export function openPage({ enter, leave: empty }) {
  page = { enter, empty };
  at('entry').addEventListener('submit', (event) => {
    event.preventDefault();
    sessionStorage.setItem(key, at('token').value.trim());
    at('token').value = '';
    attempt(signIn);
  });
  at('leave').addEventListener('click', leave);
  openFrame();
  attempt(showPages);
  if (isSignedIn()) attempt(signIn);
  else leave();
}

const isSignedIn = () => sessionStorage.getItem(key) !== null;

async function signIn() {
  say();
  at('entry-box').hidden = true;
  for (const id of ['leave', 'title']) at(id).hidden = false;
  const { login } = await (await ask('GET', '/user')).json();
  at('user').textContent = login;
  at('content').hidden = false;
  await Promise.all([page.enter(), showLinks()]);
}

function leave() {
  sessionStorage.removeItem(key);
  say();
  at('user').textContent = '';
  page.empty();
  for (const id of ['content', 'leave', 'title', 'links']) at(id).hidden = true;
  at('entry-box').hidden = false;
}

async function showPages() {
  const pages = await (await fetch('/pages')).json();
  at('pages').replaceChildren(...pages.map(({ title, path }) => item(title, path)));
}

/** What other packages of this service link to, for its users. */
async function showLinks() {
  const links = await (await ask('GET', '/pages/links')).json();
  at('links').hidden = links.length === 0;
  at('links').replaceChildren(
    ...links.map(({ title, url }) => {
      const address = new URL(url);
      address.searchParams.set('theme', localStorage.getItem(themeKey) ?? 'system');
      return item(`${title} ↗`, address.href);
    }),
  );
}

function item(textContent, href) {
  const link = element('a', { href, textContent });
  if (href === location.pathname) link.setAttribute('aria-current', 'page');
  return element('li', {}, link);
}

/** What the frame does without anyone signed in: colours, the menu of a phone, and the way past the navigation. */
function openFrame() {
  const theme = at('theme');
  theme.value = localStorage.getItem(themeKey) ?? 'system';
  theme.addEventListener('change', () => {
    const root = document.documentElement;
    if (theme.value === 'system') {
      localStorage.removeItem(themeKey);
      delete root.dataset.theme;
    } else {
      localStorage.setItem(themeKey, theme.value);
      root.dataset.theme = theme.value;
    }
  });
  at('fold').addEventListener('click', () => {
    const isOpen = at('navigation').classList.toggle('open');
    at('fold').setAttribute('aria-expanded', String(isOpen));
  });
  at('skip').addEventListener('click', () => at('main').focus());
}
