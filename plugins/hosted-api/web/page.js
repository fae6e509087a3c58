// What all pages have: a user signs in with a token, and out again. Pages are clients of the API like any others.

const key = 'gantry-hosted-token';

/** What a page brings; see `openPage`. */
let page;

export const at = (id) => document.getElementById(id);

/** Makes an element of texts only: names and titles come from anywhere. */
export function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

export const button = (words, onclick) => element('button', { type: 'button', textContent: words, onclick });

/** Tells the user something, in place of what was told before. */
export function say(words = '') {
  at('message').textContent = words;
}

/** Asks the API for what the user may see. Rejects with what it says against it; without a valid token, signs out. */
export async function ask(method, path, body, headers = {}) {
  const token = sessionStorage.getItem(key);
  const answer = await fetch(path, {
    method,
    cache: 'no-store',
    headers: { Authorization: `Bearer ${token}`, ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  // The page is empty again, or somebody else's.
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

/** Runs something, and tells the user what went wrong. */
export async function attempt(run) {
  try {
    await run();
  } catch (error) {
    say(error.message);
  }
}

/**
 * Makes of `load` a function that also calls it again after as many milliseconds as it resolved to, for as long as
 * somebody is signed in. After an error that is as long as before it.
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

/** Begins: `enter` fills the page for somebody who has signed in, `leave` empties it. */
export function openPage({ enter, leave: empty }) {
  page = { enter, empty };
  at('entry').addEventListener('submit', (event) => {
    event.preventDefault();
    sessionStorage.setItem(key, at('token').value.trim());
    at('token').value = '';
    attempt(signIn);
  });
  at('leave').addEventListener('click', leave);
  attempt(showPages);
  if (isSignedIn()) attempt(signIn);
  else leave();
}

const isSignedIn = () => sessionStorage.getItem(key) !== null;

async function signIn() {
  say();
  at('entry').hidden = true;
  at('leave').hidden = false;
  const { login } = await (await ask('GET', '/user')).json();
  at('user').textContent = login;
  at('content').hidden = false;
  await page.enter();
}

function leave() {
  sessionStorage.removeItem(key);
  say();
  at('user').textContent = '';
  page.empty();
  for (const id of ['content', 'leave']) at(id).hidden = true;
  at('entry').hidden = false;
}

async function showPages() {
  const pages = await (await fetch('/pages')).json();
  at('pages').replaceChildren(...pages.map(({ title, path }) => element('a', { href: path, textContent: title })));
}
